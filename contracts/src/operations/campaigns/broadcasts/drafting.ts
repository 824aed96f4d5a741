import { Type } from 'typebox';
import { operation } from '../../../contract.ts';
import { Id, closed } from '../../../shapes.ts';
import { mediaErrors } from '../../outbound/send-operation.ts';
import { Broadcast, broadcastErrors, broadcastExample, broadcastFields, broadcastParams } from './shapes.ts';

const { name, message, recipients, settings, changedSettings, quietHours } = broadcastFields;
const draft = { ...broadcastExample, status: 'draft', startedAt: null };

export const CreateBroadcast = operation({
  name: 'CreateBroadcast',
  owner: 'campaigns',
  method: 'POST',
  path: '/broadcast',
  access: 'broadcast:create',
  tag: 'Broadcasts',
  audit: 'broadcast.create',
  summary: 'Draft a broadcast',
  means:
    'A message for many people of one profile. Nothing is sent before it is started or its time has come. What is wrong with the ' +
    'message, the recipients or the settings is said now, naming the field.',
  body: closed({ profileId: Id, name, message, recipients, settings, quietHours }),
  bodyLimit: 'media',
  answers: { 201: { body: Broadcast, means: 'The draft.', example: draft } },
  errors: [...broadcastErrors, ...mediaErrors],
  example: {
    profileId: broadcastExample.profileId,
    name: broadcastExample.name,
    message: broadcastExample.message,
    recipients: broadcastExample.recipients,
    settings: { delayMin: 3000, delayMax: 10_000 },
    quietHours: broadcastExample.quietHours,
  },
});

export const UpdateBroadcast = operation({
  name: 'UpdateBroadcast',
  owner: 'campaigns',
  method: 'PUT',
  path: '/broadcast/:id',
  access: 'broadcast:create',
  tag: 'Broadcasts',
  summary: 'Change a broadcast',
  means:
    'Changes the fields that are given, of a draft or of a broadcast that is scheduled, which keeps its time; 409 later. ' +
    '`settings` are changed one by one, `message` and `recipients` as a whole; `quietHours: null` takes them away.',
  params: broadcastParams,
  body: closed({
    name: Type.Optional(name),
    message: Type.Optional(message),
    recipients: Type.Optional(recipients),
    settings: changedSettings,
    quietHours,
  }),
  bodyLimit: 'media',
  answers: { 200: { body: Broadcast, means: 'The broadcast.' } },
  errors: [...broadcastErrors, ...mediaErrors, 'CONFLICT'],
  example: { name: 'Winter sale, second try' },
});

export const DeleteBroadcast = operation({
  name: 'DeleteBroadcast',
  owner: 'campaigns',
  method: 'DELETE',
  path: '/broadcast/:id',
  access: 'broadcast:delete',
  tag: 'Broadcasts',
  summary: 'Delete a broadcast',
  means:
    'With its recipients and statistics; 409 while it runs. The messages that it has sent stay in their conversations. One that was ' +
    'scheduled is not sent any more.',
  params: broadcastParams,
  answers: { 204: { means: 'It is gone.' } },
  errors: [...broadcastErrors, 'CONFLICT'],
});
