import type { proto } from '@whiskeysockets/baileys';
import type { IncomingContentOf } from '@messaging-gateway/contracts';
import { lines } from './choices.ts';

type Unsupported = Extract<IncomingContentOf, { type: 'unsupported' }>['content'];

/** Summary and facts of a message that is of no type of its own; nothing for a kind without a summary. */
export function aboutOf(message: proto.IMessage): Pick<Unsupported, 'text' | 'about'> {
  const { eventMessage, orderMessage, productMessage, groupInviteMessage } = message;
  const found = eventMessage
    ? ofEvent(eventMessage)
    : orderMessage
      ? ofOrder(orderMessage)
      : productMessage
        ? ofProduct(productMessage)
        : groupInviteMessage
          ? ofInvitation(groupInviteMessage)
          : { text: summaryOf(message) };
  const { text, ...others } = found;
  return { ...(text !== '' && { text }), ...others };
}

type Described = { readonly text: string } & Pick<Unsupported, 'about'>;
type Whole = number | { toString(): string } | null | undefined;

const maxSeconds = 253_402_300_800;

/** Seconds since 1970 as a timestamp. Milliseconds are recognized by their size. */
function timeOf(value: Whole): string | undefined {
  const number = Number(value ?? NaN);
  const seconds = number >= maxSeconds ? number / 1000 : number;
  return seconds > 0 && seconds < maxSeconds ? new Date(seconds * 1000).toISOString() : undefined;
}

const minute = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** Amount in thousandths, with the decimals that the currency usually has. */
function moneyOf(thousandths: Whole, currency: string | null | undefined) {
  const value = Number(thousandths ?? NaN);
  if (!Number.isFinite(value) || !currency || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return { amount: (value / 1000).toFixed(maximumFractionDigits), currency };
}

const priceText = (money: { amount: string; currency: string } | undefined): string =>
  money === undefined ? '' : `${money.amount} ${money.currency}`;

function ofEvent(event: proto.Message.IEventMessage): Described {
  const { name, description, startTime, endTime, location, isCanceled } = event;
  const startsAt = timeOf(startTime);
  const endsAt = timeOf(endTime);
  const place = placeOf(location);
  const title = [name, startsAt && minute(startsAt)].filter(Boolean).join(', ');
  return {
    text: title,
    ...(startsAt !== undefined && {
      about: {
        name: name ?? '',
        ...(description && { description }),
        startsAt,
        ...(endsAt !== undefined && { endsAt }),
        ...(place !== undefined && { location: place }),
        cancelled: isCanceled === true,
      },
    }),
  };
}

function placeOf(location: proto.Message.ILocationMessage | null | undefined) {
  const { name, address, degreesLatitude: latitude, degreesLongitude: longitude } = location ?? {};
  const place = {
    ...(name && { name }),
    ...(address && { address }),
    ...(typeof latitude === 'number' && typeof longitude === 'number' && { latitude, longitude }),
  };
  return Object.keys(place).length === 0 ? undefined : place;
}

function ofOrder(order: proto.Message.IOrderMessage): Described {
  const { orderId, orderTitle, message, itemCount, totalAmount1000, totalCurrencyCode } = order;
  const total = moneyOf(totalAmount1000, totalCurrencyCode);
  return {
    text: lines(orderTitle, message),
    ...(orderId && {
      about: {
        orderId,
        ...(orderTitle && { title: orderTitle }),
        ...(typeof itemCount === 'number' && itemCount >= 0 && { itemCount }),
        ...(total !== undefined && { total }),
      },
    }),
  };
}

function ofProduct({ product, body, footer }: proto.Message.IProductMessage): Described {
  const { productId, title, description, currencyCode, priceAmount1000, salePriceAmount1000 } = product ?? {};
  const sale = Number(salePriceAmount1000 ?? 0) > 0 ? salePriceAmount1000 : undefined;
  const price = moneyOf(sale ?? priceAmount1000, currencyCode);
  return {
    text: lines(title, description, priceText(price), body, footer),
    ...(productId && {
      about: {
        productId,
        title: title ?? '',
        ...(description && { description }),
        ...(price !== undefined && { price }),
      },
    }),
  };
}

const groupAddress = /^[\w-]{1,64}@g\.us$/;

function ofInvitation(invitation: proto.Message.IGroupInviteMessage): Described {
  const { groupJid, inviteCode, inviteExpiration, groupName, caption } = invitation;
  const expiresAt = timeOf(inviteExpiration);
  return {
    text: lines(groupName, caption, inviteCode && `https://chat.whatsapp.com/${inviteCode}`),
    ...(groupJid &&
      groupAddress.test(groupJid) &&
      inviteCode && {
        about: {
          groupId: groupJid,
          name: groupName ?? '',
          code: inviteCode,
          ...(expiresAt !== undefined && { expiresAt }),
          ...(caption && { caption }),
        },
      }),
  };
}

/** Text that phones show of a kind without facts of its own. */
function summaryOf(message: proto.IMessage): string {
  const { sendPaymentMessage, requestPaymentMessage, invoiceMessage, scheduledCallCreationMessage } = message;
  const { newsletterAdminInviteMessage, newsletterFollowerInviteMessageV2, stickerPackMessage } = message;
  if (sendPaymentMessage) return noteOf(sendPaymentMessage.noteMessage);
  if (requestPaymentMessage) {
    const { amount1000, currencyCodeIso4217, noteMessage } = requestPaymentMessage;
    return lines(priceText(moneyOf(amount1000, currencyCodeIso4217)), noteOf(noteMessage));
  }
  if (invoiceMessage) return lines(invoiceMessage.note);
  if (scheduledCallCreationMessage) {
    const { title, scheduledTimestampMs } = scheduledCallCreationMessage;
    const at = timeOf(scheduledTimestampMs);
    return [title, at && minute(at)].filter(Boolean).join(', ');
  }
  const invitation = newsletterAdminInviteMessage ?? newsletterFollowerInviteMessageV2;
  if (invitation) return lines(invitation.newsletterName, invitation.caption);
  return lines(stickerPackMessage?.name, stickerPackMessage?.caption);
}

const noteOf = (note: proto.IMessage | null | undefined): string =>
  lines(note?.conversation, note?.extendedTextMessage?.text);
