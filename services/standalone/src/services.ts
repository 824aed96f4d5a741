import { identity } from '@messaging-gateway/identity';
import { inbox } from '@messaging-gateway/inbox';
import { insights } from '@messaging-gateway/insights';
import { outbound } from '@messaging-gateway/outbound';
import { withSettings } from '@messaging-gateway/service';
import type { ServiceStorage, ServiceToRun } from '@messaging-gateway/service';
import { sessions } from '@messaging-gateway/sessions';
import { webhooks } from '@messaging-gateway/webhooks';
import type { Settings } from './config.ts';

/** All services, those that others lean on first: started in this order, stopped in the reverse one. */
export const servicesToRun = (settings: Settings): readonly ServiceToRun[] => [
  withSettings(identity, settings.identity),
  withSettings(insights, settings.insights),
  withSettings(webhooks, settings.webhooks),
  withSettings(inbox, settings.inbox),
  withSettings(sessions, settings.sessions),
  withSettings(outbound, settings.outbound),
];

/** All services, without their settings. */
export const modules = [identity, insights, webhooks, inbox, sessions, outbound] as const;

/** Storages of the services, for the commands that work on journals and views. */
export const storages: Readonly<Record<string, ServiceStorage>> = Object.fromEntries(
  modules.map(({ name, storage }) => [name, storage]),
);

/** Every schema that belongs into a backup. */
export const schemas: readonly string[] = ['gateway', ...Object.values(storages).map(({ schema }) => schema)];
