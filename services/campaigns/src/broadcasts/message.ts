import {
  check,
  sendRoutes,
  type BroadcastMessageOf,
  type Fault,
  type SendableType,
} from '@messaging-gateway/contracts';
import { fill, placeholdersOf } from '@messaging-gateway/placeholders';
import type { FixedMessage } from './broadcast.ts';

/** Values of placeholders for one recipient. */
export interface Values {
  readonly name: string | null;
  readonly phone: string | null;
  /** `metadata.<key>` as texts. */
  readonly fields: Readonly<Record<string, string>>;
  readonly link?: string | undefined;
}

const known = /^(?:name|phone|link|metadata\..+)$/;
const path = 'body.message';
const fault = (message: string, at = path): Fault[] => [{ path: at, message }];
const ways = ['text', 'content', 'variants', 'templateId'] as const;

/** Faults of the message of a broadcast, as far as they can be told before the recipients are known. */
export function messageFaults(message: BroadcastMessageOf): readonly Fault[] {
  const given = ways.filter((way) => message[way] !== undefined);
  if (given.length !== 1) return fault('must have exactly one of text, content, variants and templateId');
  const { type, variants, variables, templateId } = message;
  if (templateId !== undefined) {
    if (type !== undefined) return fault('cannot stand beside templateId: the template has a type', `${path}.type`);
    return strangers(variables ?? {}, `${path}.variables`);
  }
  if (variables !== undefined) return fault('go with templateId only', `${path}.variables`);
  if (type === undefined) return fault('is required', `${path}.type`);
  if (type !== 'text' && message.content === undefined)
    return fault(`is for messages of the type text; of the type ${type} give content`, `${path}.${given[0]}`);
  if (variants !== undefined && new Set(variants.map(({ name }) => name)).size < variants.length)
    return fault('must have distinct names', `${path}.variants`);
  const fixed = fixedMessage(message);
  return [
    ...strangers(message.content ?? message.text ?? variants ?? '', `${path}.${given[0]}`),
    ...contentFaults(fixed, `${path}.${message.content === undefined ? given[0] : 'content'}`),
  ];
}

/** Placeholders that nothing will ever fill. */
function strangers(value: unknown, at: string): Fault[] {
  const stranger = placeholdersOf(value).find(({ name }) => !known.test(name));
  if (stranger === undefined) return [];
  return fault(
    `has the placeholder {{${stranger.name}}}: there are {{name}}, {{phone}}, {{link}} and {{metadata.<key>}}`,
    at,
  );
}

const examples: Values = { name: 'Ada', phone: '4915112345678', fields: {}, link: 'https://shop.example' };

/** The send route's own rules, for what an example person would get. */
function contentFaults(message: FixedMessage, at: string): Fault[] {
  const texts = message.variants?.map((_, number) => number) ?? [null];
  for (const variant of texts) {
    const { type, content } = contentOf(message, { ...examples, link: message.link }, variant, 'x');
    const faults = check(sendRoutes[type].body, { profileId: nobody, to: '0000000', ...content }, at);
    if (faults.length > 0) return faults;
  }
  return [];
}
const nobody = '00000000-0000-4000-8000-000000000000';

/** A message that needs no template, as it is sent. */
export function fixedMessage({ type = 'text', text, content, variants, link }: BroadcastMessageOf): FixedMessage {
  return {
    type,
    content: { ...content, ...(text !== undefined && { text }) },
    ...(variants !== undefined && { variants: variants.map(({ weight = 1, ...one }) => ({ ...one, weight })) }),
    ...(link !== undefined && { link }),
  };
}

/**
 * The message to one recipient: the fields of the send route.
 *
 * @param otherwise stands for what has neither a value nor a fallback
 */
export function contentOf(
  { type, content, variants, link }: FixedMessage,
  { name, phone, fields, link: ownLink = link }: Values,
  variant: number | null,
  otherwise = '',
): { readonly type: SendableType; readonly content: Readonly<Record<string, unknown>> } {
  const chosen = variant === null ? undefined : variants?.[variant];
  const whole = chosen === undefined ? content : { ...content, text: chosen.text };
  const values = new Map(Object.entries(fields).map(([key, value]) => [`metadata.${key}`, value]));
  values
    .set('name', name ?? '')
    .set('phone', phone ?? '')
    .set('link', ownLink ?? '');
  // An empty value leaves its place to the fallback.
  const valueOf = (placeholder: string): string | undefined => values.get(placeholder) || undefined;
  return { type: type as SendableType, content: fill(whole, valueOf, otherwise).filled };
}
