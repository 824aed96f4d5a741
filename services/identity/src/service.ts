import { service } from '@messaging-gateway/service';
import { apiKeys } from './api-key/feature.ts';
import { callers } from './caller/feature.ts';
import type { IdentitySettings } from './config.ts';
import { erasures } from './erasure/feature.ts';
import { logins } from './login/feature.ts';
import { members } from './member/feature.ts';
import { organizations } from './organization/feature.ts';
import { personalData } from './personal-data/feature.ts';
import { preferences } from './preferences/feature.ts';
import { sessions } from './session/feature.ts';
import { settings } from './settings/feature.ts';
import { access } from './tools.ts';
import { twoFactor } from './two-factor/feature.ts';
import { users } from './user/feature.ts';
import { workspaces } from './workspace/feature.ts';

/** Users, their sessions, API keys, organizations with their members and roles, and workspaces. */
export const identity = service<IdentitySettings>('identity', {
  features: [
    access,
    users,
    logins,
    sessions,
    apiKeys,
    twoFactor,
    organizations,
    members,
    workspaces,
    preferences,
    settings,
    erasures,
    personalData,
    callers,
  ],
});
