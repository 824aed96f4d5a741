import type { DataOf, MessageReceived, MessageSent } from '@messaging-gateway/contracts';

type Received = DataOf<typeof MessageReceived>;
type Sent = DataOf<typeof MessageSent>;

export interface NumberChange {
  /** Digits. */
  readonly phone: string;
  /** Digits. */
  readonly previousPhone: string;
}

/** News in the line of a chat, sealed. */
export type Told =
  | { readonly kind: 'received'; readonly data: Received }
  /** The content of a message that was posted without it. */
  | { readonly kind: 'recovered'; readonly data: Received }
  | { readonly kind: 'sent'; readonly data: Sent }
  | {
      readonly kind: 'edited' | 'deleted';
      readonly data: { readonly messageId: string; readonly fromMe: boolean; readonly body?: string };
    }
  | {
      readonly kind: 'reaction';
      readonly data: {
        readonly messageId: string;
        readonly fromMe: boolean;
        readonly emoji: string;
        readonly author?: string;
      };
    }
  | {
      readonly kind: 'status';
      readonly data: { readonly status: 'delivered' | 'read' | 'failed'; readonly error?: string };
    }
  /** The chat of somebody who has another, older one. */
  | { readonly kind: 'joined'; readonly data: { readonly into: string } }
  /** The person of the chat has another phone number. */
  | { readonly kind: 'number'; readonly data: NumberChange }
  /** For agents only. */
  | { readonly kind: 'note'; readonly data: { readonly text: string; readonly answersRemote?: number } };

type Content = NonNullable<Sent['content']>;

const titled = (title: string, ...lines: (string | undefined)[]): string =>
  [title, ...lines.filter((line) => line !== undefined && line !== '')].join('\n');

const numberText = ({ phone, label }: { readonly phone: string; readonly label?: string }): string =>
  label === undefined ? `+${phone}` : `+${phone} (${label})`;

type Captioned = Extract<Content, { type: 'text' | 'image' | 'video' | 'document' }>;

/** A text with the ad that it comes from above it, and the choices that it offers below. */
function withContext({ choices = [], referral }: Captioned, text: string): string {
  const ad = referral === undefined ? [] : [`📣 ${referral.title ?? referral.sourceId ?? ''}`, referral.sourceUrl];
  const offered = choices.map((choice) => {
    const target = choice.url ?? choice.code ?? choice.phone;
    return target === undefined ? `▫️ ${choice.text}` : `▫️ ${choice.text}: ${target}`;
  });
  return [...ad, text, ...offered].filter((line) => line !== undefined && line !== '').join('\n');
}

/** Words of a message, as agents read them; media go along as a file, with their caption. */
export function wordsOf(content: Content): string {
  switch (content.type) {
    case 'text':
      return withContext(content, content.text);
    case 'image':
    case 'video':
    case 'document':
      return withContext(content, content.caption ?? '');
    case 'location':
      return titled(
        '📍',
        content.name,
        content.address,
        `https://maps.google.com/?q=${content.latitude},${content.longitude}`,
      );
    case 'contact':
      return content.contacts
        .map(({ name, phone, phones = phone === undefined ? [] : [{ phone }], organization, email }) =>
          titled(`👤 ${name}`, organization, ...phones.map(numberText), email),
        )
        .join('\n');
    case 'poll':
      return titled(`📊 ${content.question}`, ...content.options.map((option) => `- ${option}`));
    case 'audio':
    case 'sticker':
      return '';
    case 'deleted':
      return '🗑';
    case 'unsupported':
      return content.kind === 'unavailable' ? unavailableWords(content.reason) : (content.text ?? `(${content.kind})`);
  }
}

const unavailableWords = (reason: string | undefined): string =>
  reason === 'viewOnce'
    ? '(A message that can be viewed once. Open it on the phone.)'
    : '(A message whose content has not arrived. Open it on the phone.)';

/** Where the bytes of a message lie. */
export interface MediaOf {
  /** Path of the gateway, or a URL of the tenant. */
  readonly url: string;
  readonly mimetype?: string | undefined;
  readonly filename?: string | undefined;
}

export function mediaOf(content: Content): MediaOf | undefined {
  const media = 'media' in content ? content.media : undefined;
  const url = media?.url ?? ('url' in content ? content.url : undefined);
  if (url === undefined) return undefined;
  const filename = 'filename' in content ? content.filename : undefined;
  return { url, mimetype: media?.mimetype, filename: media?.filename ?? filename };
}

/** Content of a message; an empty text for one told by a version before contents were. */
export const contentOf = (told: Extract<Told, { kind: 'received' | 'recovered' | 'sent' }>): Content =>
  told.data.content ?? { type: 'text', text: '' };
