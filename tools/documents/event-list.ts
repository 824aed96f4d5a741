// `npm run docs:generate`: writes the events of docs/webhooks.md from their contracts. A test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { events, ShownContent, type EventContract } from '@messaging-gateway/contracts';
import { deliveryExample } from '../../contracts/generation/deliveries.ts';
import { fieldWords, typeWords } from '../../contracts/generation/field-words.ts';
import { betweenMarks } from './between-marks.ts';

/** Of a JSON Schema, what is read here. */
interface Shape {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

const page = fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url));

const told = events
  .filter(({ visibility }) => visibility === 'public')
  .toSorted((one, other) => (one.type < other.type ? -1 : 1));

/** Meaning of a field: its own words, else those of its name. */
function meaningOf(name: string, { description, enum: words, anyOf }: Shape): string {
  const own = description === undefined || typeWords.has(description) ? undefined : description;
  const meaning = own ?? fieldWords[name] ?? '';
  const listed = words ?? anyOf?.find((shape) => shape.enum !== undefined)?.enum;
  const values = listed === undefined ? '' : `${meaning === '' ? '' : ': '}\`${listed.join('`, `')}\``;
  return `${meaning}${values}`.replaceAll('|', '\\|');
}

const isAlwaysThere = ({ required }: Shape, name: string): boolean => required?.includes(name) === true;

const fieldRows = (shape: Shape): string[] =>
  Object.entries(shape.properties ?? {}).map(
    ([name, field]) => `| \`${name}\`${isAlwaysThere(shape, name) ? '' : ' ?'} | ${meaningOf(name, field)} |`,
  );

const eventSection = (event: EventContract): string =>
  [
    `### ${event.type}`,
    '',
    event.means,
    '',
    '```json',
    JSON.stringify(deliveryExample(event), undefined, 2),
    '```',
    '',
    '| In `data` | |',
    '|---|---|',
    ...fieldRows(event.data),
  ].join('\n');

const contentRow = (shape: Shape): string => {
  const { type, ...fields } = shape.properties ?? {};
  const names = Object.keys(fields).map((name) => `\`${name}\`${isAlwaysThere(shape, name) ? '' : ' ?'}`);
  return `| \`${String(type?.const)}\` | ${names.join(', ')} |`;
};

/** Every event that webhooks are told, and what `content` of a message can be, as Markdown. */
export const eventList = (): string =>
  [
    ...told.map(eventSection),
    [
      '### What `content` of a message holds',
      '',
      '| `type` | Fields |',
      '|---|---|',
      ...(ShownContent.anyOf as readonly Shape[]).map(contentRow),
    ].join('\n'),
  ].join('\n\n');

/** The page with the events of now. */
export const webhooksPage = (text: string): string => betweenMarks(text, 'events', `\n${eventList()}\n`);

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, webhooksPage(readFileSync(page, 'utf8')));
