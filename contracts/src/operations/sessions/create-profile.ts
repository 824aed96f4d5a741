import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import {
  DailyLimit,
  EngineKind,
  HandoverMinutes,
  MessageDelay,
  NumberChecksPerDay,
  Profile,
  ResourceName,
  StrangerLimit,
  Warmup,
  accountParams,
} from './shapes.ts';

const fields = {
  name: ResourceName,
  engine: Type.Optional(EngineKind),
  messageDelayMs: Type.Optional(MessageDelay),
  dailyMessageLimit: Type.Optional(DailyLimit),
  handoverMinutes: Type.Optional(HandoverMinutes),
  strangerDailyLimit: Type.Optional(StrangerLimit),
  warmup: Type.Optional(Warmup),
  numberChecksPerDay: Type.Optional(NumberChecksPerDay),
};
const answers = { 201: { body: Profile, means: 'The profile exists; connect links it to a phone.' } };

export const CreateProfile = operation({
  name: 'CreateProfile',
  owner: 'sessions',
  method: 'POST',
  path: '/profiles',
  access: 'profile:create',
  tag: 'Profiles',
  summary: 'Create a profile',
  means:
    'Without `accountId` in the account "Default". An engine that this installation cannot run is refused with 501.',
  body: closed({ ...fields, accountId: Type.Optional(Id) }),
  answers,
  errors: ['NOT_FOUND', 'ENGINE_UNSUPPORTED', 'FORBIDDEN', 'QUOTA_REACHED'],
  example: { name: 'Sales', messageDelayMs: 1500, dailyMessageLimit: 500 },
});

export const CreateAccountProfile = operation({
  name: 'CreateAccountProfile',
  owner: 'sessions',
  method: 'POST',
  path: '/accounts/:accountId/profiles',
  access: 'profile:create',
  tag: 'Profiles',
  audit: 'profile.create',
  summary: 'Create a profile in an account',
  means: 'As `POST /profiles`, in the account of the path.',
  params: accountParams,
  body: closed(fields),
  answers,
  errors: ['NOT_FOUND', 'ENGINE_UNSUPPORTED', 'FORBIDDEN', 'QUOTA_REACHED'],
  example: { name: 'Sales' },
});
