import { parseRecipient, type BodyOf, type OutgoingContentOf, type SendText } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import type { Quote, Quotes } from './quotes.ts';
import { replyOf } from './answers.ts';
import type { Reception } from './reception.ts';

type TextBody = BodyOf<typeof SendText>;

/** `POST /messages/text`: reads the body into a draft. A further type needs its own such reading, and nothing else. */
export function sendText(reception: Reception, quotes: Quotes) {
  return async ({ body, caller, context }: OperationInput<TextBody>): Promise<unknown> => {
    const { profileId, quotedMessageId } = body;
    const quote =
      quotedMessageId === undefined ? undefined : await quotes.find(quotedMessageId, profileId, caller, context);
    const quoting = quotedMessageId === undefined ? {} : { quotedMessageId };
    const to = jidOf(body.to, 'body.to');
    const draft = { profileId, to, content: textOf(body, quote), ...quoting, origin: 'api' } as const;
    return replyOf(await reception.accept(draft, caller, context));
  };
}

function textOf({ text, mentions, linkPreview }: TextBody, quoted: Quote | undefined): OutgoingContentOf {
  const content = {
    text,
    ...(mentions !== undefined && {
      mentions: mentions.map((mention, index) => jidOf(mention, `body.mentions[${index}]`)),
    }),
    ...(linkPreview !== undefined && { linkPreview }),
  };
  return { type: 'text', content, ...(quoted !== undefined && { quoted }) };
}

/** @throws Refused VALIDATION_ERROR naming the field */
export function jidOf(recipient: string, path: string): string {
  const parsed = parseRecipient(recipient);
  if (parsed !== undefined) return parsed.jid;
  throw new Refused('VALIDATION_ERROR', 'The request is not valid.', [
    { path, message: 'is no phone number and no JID' },
  ]);
}
