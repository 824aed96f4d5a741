import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@messaging-gateway/testing';
import { command } from './embedded.ts';
import { registered, type Person } from './person.ts';
import type { World } from './world.ts';

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly name?: string };
}

/** Files of PostgreSQL that are put back as they were before, and `restore --adopt`. */
export function snapshot(at: () => World): void {
  describe('a database whose server was set back to a snapshot', () => {
    let world: World;
    let person: Person;
    beforeAll(async () => {
      world = at();
      person = await registered(world, 'ada@snapshots.example', 'Ada', 'Snapshots');
    }, 900_000);

    const read = async (after: string) =>
      (await person.call<{ items: Told[]; nextCursor: string }>('GET', `/events?after=${after}`)).body;
    /** Saves a contact. @returns the event that tells of it, and where its reader stands then */
    const told = async (name: string, after: string) => {
      expect((await person.call('POST', '/contacts', { phone: '4915112345678', name })).status).toBe(201);
      return eventually(async () => {
        const { items, nextCursor } = await read(after);
        const event = items.find(({ data }) => data.name === name);
        return event && { event, nextCursor };
      });
    };

    it('tells what happens since the adoption to a reader who was further, under ids of its own', async () => {
      const data = world.dataDirectory;
      const [server, copy] = [join(data, 'postgres'), join(world.directory, 'snapshot')];
      const { nextCursor: beginning } = await read('latest');
      await world.gateway.stop();
      execFileSync('cp', ['-a', server, copy]);
      await world.restart();
      const lost = await told('Lost', beginning);
      await world.gateway.stop();

      rmSync(server, { recursive: true });
      renameSync(copy, server);
      expect(await command('restore', { DATA_DIR: data }, '--adopt')).toContain(
        'belong to this PostgreSQL cluster now',
      );
      await world.restart();
      const after = await told('After', lost.nextCursor);
      // The same entry of the same stream, as far as the journal knows.
      expect(after.event.event).toBe(lost.event.event);
      expect(after.event.id).not.toBe(lost.event.id);
    }, 900_000);
  });
}
