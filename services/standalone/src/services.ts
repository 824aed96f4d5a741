import type { ServiceStorage, ServiceToRun } from '@messaging-gateway/service';
import { registry } from '../../registry.ts';
import type { Settings } from './config.ts';

/** All services, in the order in which they are started. */
export const servicesToRun = (settings: Settings): Promise<readonly ServiceToRun[]> =>
  Promise.all(registry.map((row) => row.toRun(settings)));

/** All services, without their settings. */
export const modules = await Promise.all(registry.map((row) => row.module()));

/** Storages of the services, for the commands that work on journals and views. */
export const storages: Readonly<Record<string, ServiceStorage>> = Object.fromEntries(
  modules.map(({ name, storage }) => [name, storage]),
);

/** Every schema that belongs into a backup. */
export const schemas: readonly string[] = ['gateway', ...Object.values(storages).map(({ schema }) => schema)];
