import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import { Base64Media, MediaUrl, kindOfBase64, mediaKinds } from '../../media.ts';
import { placeholderPattern } from '../../placeholder.ts';
import { Count, Id, MessageType, Timestamp, capital, closed, nullable, oneOf } from '../../shapes.ts';
import { contentsToSend } from '../outbound/typed-message.ts';

/** The most that a text with placeholders has as it is written, UTF-16 units. */
const longestWritten = 65_536;

/**
 * A schema in whose texts placeholders may stand. A text that has some is checked when it is filled: its form and its length are
 * those of what goes out.
 */
function withPlaceholders(schema: TSchema, title?: string): TSchema {
  const { properties, items, type } = schema as { properties?: TProperties; items?: TSchema; type?: string };
  const own = 'title' in schema && typeof schema.title === 'string' ? `${schema.title}Template` : undefined;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => [name, withPlaceholders(field)]);
    const all = Object.fromEntries(fields) as TProperties;
    return { ...schema, properties: all, ...((title ?? own) !== undefined && { title: title ?? own }) };
  }
  if (items !== undefined) return { ...schema, items: withPlaceholders(items) };
  if (type !== 'string' || kindOfBase64(schema) !== undefined) return schema;
  const { minLength, maxLength, format, pattern, title: _, ...kept } = schema as Record<string, unknown>;
  const plain = { minLength, maxLength, format, pattern };
  const rules = Object.fromEntries(Object.entries(plain).filter(([, rule]) => rule !== undefined));
  const longest = Math.max(longestWritten, Number(maxLength ?? 0));
  return { ...kept, maxLength: longest, if: { pattern: placeholderPattern }, else: rules };
}

/** Contents of templates by type: those of the send routes, with placeholders. */
export const templateContents: Readonly<Record<string, TObject>> = Object.fromEntries(
  Object.entries(contentsToSend).map(([type, content]) => [
    type,
    withPlaceholders(content, `${capital(type)}TemplateContent`) as TObject,
  ]),
);

/** A content whose type is not said: checked against that of the template. */
export const AnyTemplateContent = Type.Object(
  {
    url: Type.Optional(MediaUrl),
    base64: Type.Optional(
      Type.Union(mediaKinds.map(Base64Media), {
        description: 'The media themselves, of the kind of the type, as base64',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'Fields of the send route of the type, with placeholders; it takes the place of the one before',
  },
);

export const templateCategories = ['marketing', 'utility', 'authentication', 'other'] as const;
export const TemplateCategory = oneOf(templateCategories, { title: 'TemplateCategory' });

export const TemplateName = Type.String({ minLength: 1, maxLength: 200, pattern: String.raw`\S` });

/** Content as it is stored and filled. */
export const TemplateContent = Type.Record(Type.String(), Type.Unknown(), {
  title: 'TemplateContent',
  description: 'Fields of the send route of its type; media that were given as base64 or uploaded come as `url`',
});

export const Template = closed(
  {
    id: Id,
    profileId: nullable({ ...Id, description: 'The only profile that may use it; null: all may' }),
    name: Type.String(),
    category: TemplateCategory,
    messageType: MessageType,
    content: TemplateContent,
    variables: Type.Array(Type.String(), {
      description: 'Names of the placeholders in the order in which they appear, those with a fallback too',
    }),
    usageCount: { ...Count, description: 'Messages that were accepted with it' },
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Template' },
);

export const templateParams = closed({ id: Id });

export const templateExample = {
  id: '0198c0de-0000-7000-8000-00000000000a',
  profileId: null,
  name: 'Welcome',
  category: 'utility',
  messageType: 'text',
  content: { text: 'Hello {{name|friend}}, your order {{order}} is on its way.' },
  variables: ['name', 'order'],
  usageCount: 12,
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
};
