import { check, keyOfMediaUrl, sendRoutes, type Fault, type FlowMessageOf } from '@messaging-gateway/contracts';
import { fill, hasPlaceholders, placeholdersOf, valuesFrom } from '@messaging-gateway/placeholders';
import { resolvedTargetFault, type TargetPolicy } from '@messaging-gateway/target-guard';
import { isPlaceholder } from './placeholders.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

/** Fields of the send route, with placeholders. */
const contentOf = ({ text, content }: FlowMessageOf): Readonly<Record<string, unknown>> => ({
  ...content,
  ...(text !== undefined && { text }),
});

/** Faults of a message that a flow sends. @param at its path */
export async function messageFaults(
  message: FlowMessageOf,
  at: string,
  policy: TargetPolicy,
): Promise<readonly Fault[]> {
  const { type, text, content } = message;
  if ((text === undefined) === (content === undefined))
    return [{ path: `${at}.text`, message: 'must be given, or content: exactly one of both' }];
  if (text !== undefined && type !== 'text')
    return [{ path: `${at}.text`, message: `is for messages of the type text; of the type ${type} give content` }];
  const path = content === undefined ? at : `${at}.content`;
  if (content !== undefined && 'base64' in content) return [{ path: `${path}.base64`, message: noMedia }];
  const faults = [...strangers(contentOf(message), path), ...shapeFaults(message, path)];
  return faults.length > 0 ? faults : urlFaults(content, path, policy);
}

const noMedia =
  'is not kept by flows: give a url, of an upload too, or send a template (templateId), which keeps its media';

/** Placeholders that nothing will ever fill. */
export function strangers(value: unknown, at: string): Fault[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([field, one]) =>
      strangers(one, Array.isArray(value) ? `${at}[${field}]` : `${at}.${field}`),
    );
  const stranger = placeholdersOf(value).find(({ name }) => !isPlaceholder(name));
  if (stranger === undefined) return [];
  const message = `has the placeholder {{${stranger.name}}}: there are {{name}}, {{phone}}, {{match}}, {{1}} and so on, {{message}}, {{link}} and {{metadata.<key>}}`;
  return [{ path: at, message }];
}

const example: Readonly<Record<string, string>> = {
  name: 'Ada',
  phone: '4915112345678',
  match: 'price',
  message: 'What is the price?',
  link: 'https://shop.example',
};

/** The send route's own rules, for what an example person would get. */
function shapeFaults(message: FlowMessageOf, at: string): Fault[] {
  const values = { ...example, ...(message.link !== undefined && { link: message.link }) };
  const { filled } = fill(contentOf(message), valuesFrom(values), 'x');
  const { body } = sendRoutes[message.type];
  return check(body, { profileId: nobody, to: '0000000', ...filled }, at);
}

async function urlFaults(content: FlowMessageOf['content'], at: string, policy: TargetPolicy): Promise<Fault[]> {
  const url = content?.['url'];
  if (typeof url !== 'string' || hasPlaceholders(url) || keyOfMediaUrl(url) !== undefined) return [];
  const message = await resolvedTargetFault(url, policy);
  return message === undefined ? [] : [{ path: `${at}.url`, message }];
}
