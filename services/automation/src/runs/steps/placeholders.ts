import { fill, type Lookup } from '@messaging-gateway/placeholders';
import type { Person } from '../../answerers/compiled.ts';
import type { StepContext } from '../../step.ts';

/** Of what the texts of a step are filled. */
export type Filling = Pick<StepContext, 'match' | 'message' | 'person'>;

/**
 * Values for the texts of a step: `name` (saved, else the network's), `phone`, `link`, `match`, `message`, `1`, `2` and so on, and
 * `metadata.<key>`. One without a value, or with an empty one, leaves its place to the fallback, else to nothing.
 */
export async function filledFor<T>(context: Filling, value: T, link?: string): Promise<T> {
  const person = await context.person();
  return fill(value, lookupFor(context, person, link), '').filled;
}

const lookupFor =
  ({ match, message }: Filling, person: Person, link: string | undefined): Lookup =>
  (name) => {
    const text = (): string | undefined => {
      if (/^\d+$/.test(name)) return match?.groups[Number(name) - 1];
      if (name.startsWith('metadata.')) return textOf(person.metadata, name.slice('metadata.'.length));
      switch (name) {
        case 'name':
          return person.name ?? person.pushName ?? message?.pushName;
        case 'phone':
          return person.phone ?? undefined;
        case 'link':
          return link;
        case 'match':
          return match?.text;
        case 'message':
          return message?.body;
        default:
          return undefined;
      }
    };
    const found = text();
    return found === '' ? undefined : found;
  };

function textOf(metadata: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
