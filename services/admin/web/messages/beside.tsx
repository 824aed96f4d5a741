import type { ReactNode } from 'react';
import { Icon } from '../kit/icon.tsx';
import { useFormats, useTexts } from '../language/language.tsx';
import type { Content } from './shapes.ts';
import { contentTexts } from './texts.ts';

type Received = Extract<Content, { type: 'text' }>;
type Unsupported = Extract<Content, { type: 'unsupported' }>;

const isWeb = (address: string): boolean => /^https?:\/\//.test(address);

function Outside({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="underline">
      {children}
    </a>
  );
}

/** The ad that a message comes from. */
export function Referral({ title, body, sourceId, sourceUrl }: NonNullable<Received['referral']>) {
  const t = useTexts(contentTexts);
  const name = title ?? sourceId ?? sourceUrl ?? '';
  return (
    <div dir="auto" className="grid gap-0.5 rounded-lg bg-sunken p-2 text-xs">
      <p className="text-muted">{t('fromAd')}</p>
      <p className="font-medium break-words">
        {sourceUrl !== undefined && isWeb(sourceUrl) ? <Outside address={sourceUrl}>{name}</Outside> : name}
      </p>
      {body !== undefined && <p className="line-clamp-3 text-muted">{body}</p>}
    </div>
  );
}

/** Buttons and list rows below a message. Only pages can be opened from here. */
export function Choices({ choices }: { readonly choices: NonNullable<Received['choices']> }) {
  const t = useTexts(contentTexts);
  return (
    <ul aria-label={t('choices')} className="mt-1 flex flex-wrap gap-1">
      {choices.map(({ text, url, phone, code }, index) => (
        <li key={index} dir="auto" className="rounded-full border border-line px-3 py-1 text-xs break-words">
          {url !== undefined && isWeb(url) ? <Outside address={url}>{text || url}</Outside> : text}
          {phone !== undefined && <span dir="ltr"> +{phone}</span>}
          {code !== undefined && <code dir="ltr"> {code}</code>}
        </li>
      ))}
    </ul>
  );
}

/** Says that a message answers a button or a list row. */
export function Chosen({ description }: NonNullable<Received['chosen']>) {
  const t = useTexts(contentTexts);
  return (
    <p className="flex items-center gap-1 text-xs text-muted">
      <Icon name="check" size={14} />
      <span dir="auto">{description ?? t('chosen')}</span>
    </p>
  );
}

/** Facts of an event, an order, a product or a group invitation. */
export function About({ about }: { readonly about: NonNullable<Unsupported['about']> }) {
  const rows = useRows(about).filter(([, value]) => value !== undefined && value !== '');
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 rounded-lg bg-sunken p-2 text-xs">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd dir="auto" className="break-words">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Labels with values, of which some are missing. */
function useRows(about: NonNullable<Unsupported['about']>): readonly (readonly [string, string | undefined])[] {
  const t = useTexts(contentTexts);
  const { dateTime, number } = useFormats();
  if ('startsAt' in about) {
    const { startsAt, endsAt, location, description, cancelled } = about;
    return [
      [t('state'), cancelled ? t('cancelled') : undefined],
      [t('startsAt'), dateTime(startsAt)],
      [t('endsAt'), endsAt && dateTime(endsAt)],
      [t('location'), location && (location.name ?? location.address)],
      [t('description'), description],
    ];
  }
  if ('orderId' in about) {
    const { orderId, itemCount, total } = about;
    return [
      [t('orderId'), orderId],
      [t('items'), itemCount === undefined ? undefined : number(itemCount)],
      [t('total'), total && `${total.amount} ${total.currency}`],
    ];
  }
  if ('productId' in about) {
    const { productId, price } = about;
    return [
      [t('productId'), productId],
      [t('price'), price && `${price.amount} ${price.currency}`],
    ];
  }
  return [
    [t('invitationCode'), about.code],
    [t('expiresAt'), about.expiresAt && dateTime(about.expiresAt)],
  ];
}
