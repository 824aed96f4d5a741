import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { sessionsFolder, until } from './testing/engine-harness.ts';
import { largeMedia } from './testing/large-media.ts';

const MiB = 1024 * 1024;
const size = 25 * MiB;
/** Memory of bytes on their way, and of freed ones not yet swept away; it does not grow with the document. */
const bound = 16 * MiB;
const patienceMs = 300_000;
const phone = '4915120001801';
const contact = '4915100001801';

describe('a document of 25 MiB', () => {
  let simulator: Simulator;
  let folder: Awaited<ReturnType<typeof sessionsFolder>>;
  let profile: ReturnType<typeof largeMedia>;
  const write = (bytes: number) => {
    const media = { size: bytes, mimetype: 'application/octet-stream' };
    return simulator.sendFromContact(contact, { to: phone, content: { type: 'document', filename: 'a.bin', media } });
  };

  beforeAll(async () => {
    simulator = await startSimulator();
    folder = await sessionsFolder();
    const { url, rootKey, caFile } = simulator;
    profile = largeMedia({ network: { url, rootKey, caFile }, directory: folder.directory, to: contact, size });
    const { qr } = await until(() => profile.told('qr'), patienceMs);
    await simulator.scan(phone, qr);
    await until(() => profile.told('ready'), patienceMs);
    await write(100_000);
  }, 2 * patienceMs);
  afterAll(async () => {
    profile?.stop();
    await simulator.stop();
    await folder.remove();
  });

  it(
    'goes out and is never whole in memory',
    async () => {
      const { sent } = await until(() => profile.told('sent'), patienceMs);
      expect(sent).toMatchObject({ outcome: 'acknowledged' });
      const shown = await simulator.waitForMessages(contact, 2);
      expect(shown[1]?.content).toMatchObject({ media: { size, sha256: sent.sha256 } });
      expect(sent.most).toBeLessThan(bound);
    },
    patienceMs,
  );

  it(
    'comes in and is never whole in memory',
    async () => {
      await write(size);
      const { received } = await until(() => profile.told('received'), patienceMs);
      const expected = createHash('sha256').update(Buffer.alloc(size, 'made up by the simulator ')).digest('hex');
      expect(received.sha256).toBe(expected);
      expect(received.most).toBeLessThan(bound);
    },
    patienceMs,
  );
});
