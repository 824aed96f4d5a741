import { numberIn } from '../kit/typed.ts';
/** Types of messages that can be sent by a form. */
export const contentTypes = ['text', 'image', 'video', 'audio', 'document', 'location', 'contact', 'poll'] as const;
export type ContentType = (typeof contentTypes)[number];

/** A content as its send route has it. */
export type Content = Readonly<Record<string, unknown>>;

/** What stands in the fields of all types. */
export interface ContentValues {
  readonly text: string;
  readonly url: string;
  readonly caption: string;
  readonly filename: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly place: string;
  readonly address: string;
  readonly contactName: string;
  readonly contactPhone: string;
  readonly question: string;
  /** One in each line. */
  readonly options: string;
  readonly allowMultiple: boolean;
}

const word = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
const record = (value: unknown): Content => (typeof value === 'object' && value !== null ? (value as Content) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Fields for a content that is there already; of none: empty ones. */
export function valuesOf(content: Content = {}): ContentValues {
  const [card] = list(content['contacts']).map(record);
  return {
    text: word(content['text']),
    url: word(content['url']),
    caption: word(content['caption']),
    filename: word(content['filename']),
    latitude: word(content['latitude']),
    longitude: word(content['longitude']),
    place: word(content['name']),
    address: word(content['address']),
    contactName: word(card?.['name']),
    contactPhone: word(card?.['phone']),
    question: word(content['question']),
    options: list(content['options']).map(word).join('\n'),
    allowMultiple: content['allowMultiple'] === true,
  };
}

const given = (fields: Readonly<Record<string, string>>): Content =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));

/**
 * The content that the fields make.
 *
 * @param before of the same type: what no field shows stays as it is there
 */
export function contentOf(type: ContentType, values: ContentValues, before: Content = {}): Content {
  const { caption: _, filename: __, name: ___, address: ____, ...kept } = before;
  const { text, url, caption, filename, place, address } = values;
  switch (type) {
    case 'text':
      return { ...kept, text };
    case 'image':
    case 'video':
      return { ...kept, url, ...given({ caption }) };
    case 'audio':
      return { ...kept, url };
    case 'document':
      return { ...kept, url, ...given({ filename, caption }) };
    case 'location': {
      const [latitude, longitude] = [numberIn(values.latitude), numberIn(values.longitude)];
      return { ...kept, latitude, longitude, ...given({ name: place, address }) };
    }
    case 'contact': {
      const [first, ...others] = list(before['contacts']).map(record);
      return {
        ...kept,
        contacts: [{ ...first, name: values.contactName, phone: values.contactPhone }, ...others],
      };
    }
    default: {
      const options = values.options
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      return { ...kept, question: values.question, options, allowMultiple: values.allowMultiple };
    }
  }
}

/** What a content says, in one line. */
export const summaryOf = (content: Content): string =>
  word(content['text']) ||
  word(content['caption']) ||
  word(content['question']) ||
  word(content['name']) ||
  word(record(list(content['contacts'])[0])['name']) ||
  word(content['filename']) ||
  word(content['url']);
