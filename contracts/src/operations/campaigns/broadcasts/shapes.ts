import { Type, type Static } from 'typebox';
import { BroadcastFailedReason, Count, Id, Timestamp, closed, nullable, oneOf } from '../../../shapes.ts';
import { words } from '../../outbound/send-fields.ts';
import { sendRoutes, type SendableType } from '../../outbound/typed-message.ts';
import { AnyTemplateContent } from '../template.ts';
import { BroadcastForecast } from './forecast-shape.ts';

export const BroadcastStatus = oneOf(['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled', 'failed'], {
  title: 'BroadcastStatus',
});

const placeholders =
  'Placeholders `{{name}}`, `{{phone}}`, `{{link}}` and `{{metadata.<key>}}` are filled for each recipient; `{{name|friend}}` says what ' +
  'stands there when the value is empty.';

const sendableTypes = Object.keys(sendRoutes) as SendableType[];

const BroadcastContent = {
  ...AnyTemplateContent,
  description: 'Fields of the send route of `type`, with placeholders',
};

const Variant = closed({
  name: Type.String({ minLength: 1, maxLength: 32 }),
  text: words,
  weight: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 1, description: 'Its part of the recipients' }),
  ),
});

/** The message of a broadcast: exactly one of `text`, `content`, `variants` and `templateId`. */
const BroadcastMessage = closed(
  {
    type: Type.Optional(oneOf(sendableTypes, { description: 'Left out with `templateId`' })),
    text: Type.Optional({ ...words, description: `With \`type: "text"\`. ${placeholders}` }),
    content: Type.Optional(BroadcastContent),
    variants: Type.Optional(
      Type.Array(Variant, {
        minItems: 2,
        maxItems: 5,
        description:
          'With `type: "text"`: 2 to 5 texts with distinct names, shared out exactly by weight when the broadcast starts',
      }),
    ),
    templateId: Type.Optional(Id),
    variables: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 65_536 }), {
        description: "With `templateId`: values of the template's variables; they may hold placeholders",
      }),
    ),
    link: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'Fills `{{link}}`' })),
  },
  { title: 'BroadcastMessage' },
);
export type BroadcastMessageOf = Static<typeof BroadcastMessage>;

export const BroadcastRecipients = Type.Unsafe<
  | { readonly type: 'all' }
  | { readonly type: 'tags'; readonly value: readonly string[] }
  | { readonly type: 'contacts'; readonly value: readonly string[] }
>({
  title: 'BroadcastRecipients',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    closed({ type: Type.Literal('all') }, { description: "The profile's contacts, and those of no profile" }),
    closed(
      {
        type: Type.Literal('tags'),
        value: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 50,
          description: 'Tags',
        }),
      },
      { description: 'Contacts that have any of these tags' },
    ),
    closed(
      {
        type: Type.Literal('contacts'),
        value: Type.Array(Id, { minItems: 1, maxItems: 10_000, description: 'Ids of contacts' }),
      },
      { description: 'These contacts; ids that are not known are left out' },
    ),
  ],
});

const delay = Type.Integer({ minimum: 0, maximum: 3_600_000, description: 'Milliseconds' });
const batchSize = Type.Integer({ minimum: 1, maximum: 1000, description: 'Recipients that are read at a time' });
const retryFailed = Type.Boolean({ description: 'A message that the network refuses is tried again' });
const retryAttempts = Type.Integer({
  minimum: 0,
  maximum: 10,
  description: 'Further tries of a message that was refused',
});

/** Settings in a request that makes a broadcast: each field has its default. */
const BroadcastSettings = closed(
  {
    delayMin: Type.Optional({ ...delay, default: 3000 }),
    delayMax: Type.Optional({ ...delay, default: 10_000 }),
    batchSize: Type.Optional({ ...batchSize, default: 50 }),
    retryFailed: Type.Optional({ ...retryFailed, default: true }),
    retryAttempts: Type.Optional({ ...retryAttempts, default: 3 }),
  },
  { title: 'BroadcastSettings' },
);

/** Settings in a request that changes a broadcast: a field that is left out stays as it is, so that none has a default. */
const ChangedBroadcastSettings = closed(
  {
    delayMin: Type.Optional(delay),
    delayMax: Type.Optional(delay),
    batchSize: Type.Optional(batchSize),
    retryFailed: Type.Optional(retryFailed),
    retryAttempts: Type.Optional(retryAttempts),
  },
  { title: 'ChangedBroadcastSettings' },
);

const clockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: '`HH:MM`' });
const QuietHours = closed(
  {
    from: clockTime,
    to: clockTime,
    timezone: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "`recipient`: the contact's `metadata.timezone`, else all zones of the country of the number; or an IANA name such as `Asia/Jakarta`",
    }),
  },
  {
    title: 'QuietHours',
    description: 'Nothing is sent from `from` until before `to`, over midnight when `from` is the later one',
  },
);
export type QuietHoursOf = Static<typeof QuietHours>;

export const broadcastFields = {
  name: Type.String({ minLength: 1, maxLength: 256 }),
  message: BroadcastMessage,
  recipients: { ...BroadcastRecipients, description: 'Who gets it' },
  settings: Type.Optional(BroadcastSettings),
  changedSettings: Type.Optional(ChangedBroadcastSettings),
  quietHours: Type.Optional({ ...nullable(QuietHours), description: 'When nobody is written to; null: never' }),
};

const VariantStats = closed(
  {
    name: Type.String(),
    sent: Count,
    delivered: { ...Count, description: 'Delivered, read or played' },
    read: { ...Count, description: 'Read or played' },
    replied: { ...Count, description: 'People who have answered within 72 hours' },
  },
  { title: 'BroadcastVariantStats' },
);

export const BroadcastStats = closed(
  {
    total: Count,
    sent: { ...Count, description: 'All that was sent, whatever receipts came later' },
    failed: Count,
    delivered: { ...Count, description: 'Delivered, read or played' },
    read: { ...Count, description: 'Read or played' },
    pending: Count,
    skipped: {
      ...Count,
      description: 'Left out: blocked, on the suppression list, or their contact was deleted meanwhile',
    },
    cancelled: Count,
    variants: Type.Optional(Type.Array(VariantStats, { description: 'In the order in which they were given' })),
    status: BroadcastStatus,
  },
  { title: 'BroadcastStats', description: 'total = sent + failed + pending + skipped + cancelled' },
);

const PausedReason = oneOf(['user', 'daily_limit', 'quiet_hours', 'not_connected', 'restricted', 'stranger_limit'], {
  title: 'BroadcastPausedReason',
});

export const Broadcast = closed(
  {
    id: Id,
    profileId: Id,
    name: Type.String(),
    message: BroadcastMessage,
    recipients: broadcastFields.recipients,
    settings: closed(
      {
        delayMin: { ...Count, description: 'Least pause after a message, milliseconds' },
        delayMax: { ...Count, description: 'Longest pause after a message, milliseconds' },
        batchSize: { ...Count, description: 'Recipients that are read at a time' },
        retryFailed: Type.Boolean({ description: 'A message that the network refuses is tried again' }),
        retryAttempts: { ...Count, description: 'Further tries of a message that was refused' },
      },
      { title: 'BroadcastSettingsShown' },
    ),
    quietHours: { ...nullable(QuietHours), description: 'When nobody is written to; null: never' },
    status: BroadcastStatus,
    pausedReason: {
      ...nullable(PausedReason),
      description:
        'Why nothing is sent. With `user` and `daily_limit` the status is `paused`, otherwise it stays `running`. `restricted`: the network has ' +
        'restricted the account of the profile; the broadcast continues when the restriction ends. `stranger_limit`: the profile has written to as many strangers as it may on a day',
    },
    resumesAt: { ...nullable(Timestamp), description: 'When it goes on by itself, where that is known' },
    failedReason: {
      ...nullable(BroadcastFailedReason),
      description:
        'Its profile was deleted, or not connected for QUEUED_MESSAGE_TTL_HOURS; at its time there were no recipients, too many, or no ' +
        'template with all its values; its content was erased',
    },
    scheduledAt: nullable(Timestamp),
    startedAt: { ...nullable(Timestamp), description: 'When its recipients were fixed; null until then' },
    completedAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    stats: BroadcastStats,
    forecast: Type.Optional({
      ...nullable(BroadcastForecast),
      description:
        'In `GET /broadcast/:id` only: of one that is running or paused. Null of others, and while nobody answers of its profile',
    }),
  },
  { title: 'Broadcast' },
);

export const RecipientStatus = oneOf(['pending', 'sent', 'failed', 'cancelled'], { title: 'BroadcastRecipientStatus' });

export const BroadcastRecipient = closed(
  {
    contactId: nullable(Id),
    phone: nullable(Type.String()),
    name: nullable(Type.String()),
    status: RecipientStatus,
    variant: { ...nullable(Type.String()), description: 'Name of the variant; null without variants' },
    messageId: nullable(Id),
    attempts: Count,
    error: nullable(
      closed({ code: Type.String(), message: Type.Optional(Type.String()) }, { title: 'BroadcastRecipientError' }),
    ),
  },
  { title: 'BroadcastRecipient' },
);

export const broadcastParams = closed({ id: Id });

export const broadcastErrors = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;

export const statsExample = {
  total: 3,
  sent: 1,
  failed: 0,
  delivered: 1,
  read: 0,
  pending: 2,
  skipped: 0,
  cancelled: 0,
  status: 'running',
};

export const broadcastExample = {
  id: '0198c0de-0000-7000-8000-00000000000c',
  profileId: '0198c0de-0000-7000-8000-000000000001',
  name: 'Winter sale',
  message: { type: 'text', text: 'Hello {{name|friend}}: {{link}}', link: 'https://shop.example/winter' },
  recipients: { type: 'tags', value: ['customers'] },
  settings: { delayMin: 3000, delayMax: 10_000, batchSize: 50, retryFailed: true, retryAttempts: 3 },
  quietHours: { from: '21:00', to: '08:00', timezone: 'recipient' },
  status: 'running',
  pausedReason: null,
  resumesAt: null,
  failedReason: null,
  scheduledAt: null,
  startedAt: '2026-01-01T10:00:00.000Z',
  completedAt: null,
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: '2026-01-01T10:00:00.000Z',
  stats: statsExample,
};
