import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import type { ErrorCode } from '../../errors.ts';
import { Id, capital, closed, nullable, oneOf } from '../../shapes.ts';
import type { SendableType } from '../outbound/typed-message.ts';
import { Template, TemplateName, templateContents, templateExample, templateCategories } from './template.ts';

interface CreateTemplateBody {
  readonly profileId?: string | null;
  readonly name: string;
  readonly category: (typeof templateCategories)[number];
  readonly messageType: SendableType;
  readonly content: Readonly<Record<string, unknown>>;
}

const fields = {
  profileId: Type.Optional(nullable(Id)),
  name: TemplateName,
  category: Type.Optional({ ...oneOf(templateCategories), default: 'other' }),
};

/** Each type has its own member, chosen by `messageType`. */
const Body = Type.Unsafe<CreateTemplateBody>({
  title: 'CreateTemplateRequest',
  type: 'object',
  required: ['messageType'],
  discriminator: { propertyName: 'messageType' },
  oneOf: Object.entries(templateContents).map(([type, content]) =>
    closed({ ...fields, messageType: Type.Literal(type), content }, { title: `Create${capital(type)}TemplateRequest` }),
  ),
});

/** Errors of what brings media into a template. */
export const templateErrors: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'MEDIA_UNAVAILABLE',
  'QUOTA_REACHED',
];

export const CreateTemplate = operation({
  name: 'CreateTemplate',
  owner: 'campaigns',
  method: 'POST',
  path: '/templates',
  access: 'template:create',
  tag: 'Templates',
  summary: 'Create a template',
  means:
    'A content under a name that no other template of the organization has (409). `{{name}}` is a placeholder, and ' +
    '`{{name|friend}}` one with a fallback; names are 1 to 64 letters of A–Z, digits, `_` and `.`, and anything else in braces is ' +
    'text. Placeholders may stand in every text of the content; form and length of such a text are checked when it is filled. Media ' +
    'given as base64, or by the URL of an upload, are kept as long as the template. Without `profileId` every profile may use it; a key ' +
    'limited to some profiles makes templates of these.',
  body: Body,
  bodyLimit: 'media',
  answers: { 201: { body: Template, means: 'The template is made.', example: { ...templateExample, usageCount: 0 } } },
  errors: templateErrors,
  example: {
    name: templateExample.name,
    category: templateExample.category,
    messageType: templateExample.messageType,
    content: templateExample.content,
  },
});
