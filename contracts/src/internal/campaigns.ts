import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { TemplateContent } from '../operations/campaigns/template.ts';
import { PlaceholderValues } from '../placeholder.ts';
import { sendRoutes, type SendableType } from '../operations/outbound/typed-message.ts';
import { Id, closed, nullable, oneOf } from '../shapes.ts';

export const RenderTemplate = internal({
  name: 'RenderTemplate',
  owner: 'campaigns',
  means:
    'A template filled for a profile that may use it: content of the send route of its type, yet to be checked against that. Names without a ' +
    'value and a fallback are in `missing`. `NOT_FOUND`: the organization has no such template, or another profile has it.',
  body: closed({
    organizationId: Id,
    templateId: Id,
    profileId: Id,
    variables: PlaceholderValues,
  }),
  answer: closed({
    messageType: oneOf(Object.keys(sendRoutes) as SendableType[]),
    content: TemplateContent,
    missing: Type.Array(Type.String()),
  }),
});

export const ListSuppressed = internal({
  name: 'ListSuppressed',
  owner: 'campaigns',
  means:
    'Whether people, by the names that are known of each, are on the suppression list: nothing goes to them that is sent to many.',
  body: closed({
    organizationId: Id,
    people: Type.Array(
      closed({
        phone: nullable(Type.String({ description: 'Digits' })),
        lid: nullable(Type.String({ description: '`<id>@lid`' })),
      }),
      { maxItems: 1000 },
    ),
  }),
  answer: closed({ suppressed: Type.Array(Type.Boolean(), { description: 'Of each, in their order' }) }),
});
