import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import {
  DailyLimit,
  HandoverMinutes,
  MessageDelay,
  NumberChecksPerDay,
  Profile,
  ResourceName,
  StrangerLimit,
  Warmup,
  idParams,
} from './shapes.ts';

export const UpdateProfile = operation({
  name: 'UpdateProfile',
  owner: 'sessions',
  method: 'PUT',
  path: '/profiles/:id',
  access: 'profile:update',
  tag: 'Profiles',
  summary: 'Update a profile',
  means: 'Changes the fields given. Answers once the send gate works with the new delay and limit.',
  params: idParams,
  body: closed({
    name: Type.Optional(ResourceName),
    messageDelayMs: Type.Optional(MessageDelay),
    dailyMessageLimit: Type.Optional(DailyLimit),
    handoverMinutes: Type.Optional(HandoverMinutes),
    strangerDailyLimit: Type.Optional(StrangerLimit),
    warmup: Type.Optional(Warmup),
    numberChecksPerDay: Type.Optional(NumberChecksPerDay),
  }),
  answers: { 200: { body: Profile, means: 'The profile as it is now.' } },
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  example: { messageDelayMs: 2000, dailyMessageLimit: null },
});
