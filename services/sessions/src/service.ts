import { EraseSessionsData, ReadSessionsData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { accounts } from './accounts/feature.ts';
import type { SessionsSettings } from './config.ts';
import { defaultEngineKind } from './engine/engines.ts';
import { engines } from './engine/feature.ts';
import { groups } from './groups/feature.ts';
import { health } from './health/feature.ts';
import { holding } from './holding/feature.ts';
import { linkPages } from './link-pages/feature.ts';
import { presence } from './presence/feature.ts';
import { profiles } from './profiles/feature.ts';
import { sessionData } from './session-data/feature.ts';
import { traffic } from './traffic/feature.ts';

/** Accounts, profiles and their connections to the network. */
export const sessions = service<SessionsSettings>('sessions', {
  features: [engines, sessionData, traffic, accounts, profiles, health, presence, holding, linkPages, groups],
  personalData: { erase: EraseSessionsData, read: ReadSessionsData },
  about: ({ defaultEngine }) => ({ engine: defaultEngineKind(defaultEngine) }),
});
