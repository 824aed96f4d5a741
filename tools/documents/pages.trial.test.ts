import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { describeWithProgram } from '@messaging-gateway/testing';
import { shellBlocks, ShellSession, type RunningBlock } from './shell-session.ts';

/** Started as README says it, and tried as it and the pages for users say it. */
describe('a block that readers copy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-pages-'));
  const [start, ...quickStart] = shellBlocks('README.md');
  let api: string;
  let receiverPort: string;
  let session: ShellSession;
  let gateway: RunningBlock;
  let receiver: RunningBlock | undefined;
  let quick: string;

  beforeAll(async () => {
    const [apiPort = '', phonesPort = '', port = ''] = await Promise.all(
      [0, 1, 2].map(async () => `${await freePort()}`),
    );
    receiverPort = port;
    api = `http://localhost:${apiPort}`;
    session = new ShellSession({
      directory,
      instead: {
        'localhost:3000': `localhost:${apiPort}`,
        'localhost:3900': `localhost:${phonesPort}`,
        'localhost:4000': `localhost:${port}`,
        'PORT=4000': `PORT=${port}`,
      },
      environment: {
        DATA_DIR: join(directory, 'data'),
        API_PORT: apiPort,
        SIMULATOR_PORT: phonesPort,
        WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      },
    });
    gateway = session.start(start ?? { text: '', goesOn: true });
    await gateway.says(/^Ready\./m);
    quick = await session.run(quickStart);
  }, 600_000);
  afterAll(async () => {
    await receiver?.stop();
    await gateway?.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  });

  it('leads from README to a message that a phone has decrypted', () => {
    expect(start?.text).toBe('npm start -- --simulator\n');
    expect(quick).toContain('"status":"connected"');
    const shown = JSON.parse(quick.trim().split('\n').at(-1) ?? '') as object[];
    expect(shown).toEqual([expect.objectContaining({ from: '4915112345678', to: '4915187654321', text: 'Hello' })]);
  });

  it('links phones by QR code, by pairing code and by a page', async () => {
    const output = await session.run(shellBlocks('docs/linking-a-phone.md'));
    expect(output).toContain('▀▄');
    expect(readFileSync(join(directory, 'qr.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(output.match(/"status":"connected"/g)).toHaveLength(2);
    expect(output).toMatch(new RegExp(`"url":"${api}/link#[\\w-]{43}"`));
  });

  describe('of webhooks', () => {
    const secret = /SECRET=(\S+)/.exec(readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8'))?.[1];
    let output: string;
    beforeAll(async () => {
      const [server, ...blocks] = shellBlocks('docs/webhooks.md');
      receiver = session.start(server ?? { text: '', goesOn: true });
      await receiver.says(/^Listening on/m);
      output = await session.run(blocks);
      await receiver.says(/ writes: Hello back/);
    }, 600_000);

    const post = async (body: string, headers: Record<string, string>): Promise<number> => {
      const answer = await fetch(`http://localhost:${receiverPort}/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return answer.status;
    };
    const signed = (body: string, id: string, seconds = Math.floor(Date.now() / 1000)): Record<string, string> => {
      const key = Buffer.from(secret?.replace('whsec_', '') ?? '', 'base64');
      const standard = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
      return {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,b3RoZXI= v1,${standard}`,
        'x-service-signature': `sha256=${createHmac('sha256', secret ?? '')
          .update(body)
          .digest('hex')}`,
      };
    };

    it('has them received, verified, listed and read', () => {
      expect(output).toMatch(/"delivered":true,"statusCode":204/);
      expect(output).toContain('"nextCursor"');
      expect(output.trim().split('\n').at(-1)).toMatch(/"event":"message\.(sent|status)"/);
    });

    it('takes each once, and none that is not signed, or was signed long ago', async () => {
      const body = JSON.stringify({ event: 'message.received', data: { from: 'Eve', body: 'once' } });
      const right = signed(body, 'one');
      const { 'webhook-signature': _, ...without } = right;
      expect([
        await post(body, {}),
        await post(body, without),
        await post(body, { ...right, 'x-service-signature': 'sha256=00' }),
        await post(`${body} `, right),
        await post(body, signed(body, 'old', Math.floor(Date.now() / 1000) - 301)),
      ]).toEqual([401, 401, 401, 401, 401]);
      expect([await post(body, right), await post(body, right)]).toEqual([204, 204]);
      await receiver?.says(/Eve writes: once/);
      expect(receiver?.output().match(/Eve writes: once/g)).toHaveLength(1);
    });
  });

  describeWithProgram({ program: 'python3', asked: '--version' }, 'in Python', () => {
    it('sends, and waits until the phone has it', async () => {
      const output = await session.run(shellBlocks('docs/examples/README.md'));
      expect(output).toMatch(/^sent [\w-]{36}\n(delivered|read)\n$/);
    });

    it('says why something was not sent', async () => {
      const [block] = shellBlocks('docs/examples/README.md');
      const text = block?.text.replace('send.py 4915187654321', 'send.py 12') ?? '';
      await expect(session.run([{ text, goesOn: false }])).rejects.toThrow('400 VALIDATION_ERROR body.to');
    });
  });
});

describe('README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  it('is a door, not a manual', () => expect(readme.split('\n').length).toBeLessThanOrEqual(120));
  it('names the test command that the project is checked with', () => {
    const check = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
    const [, command = ''] = /`(npm test)` runs/.exec(readme) ?? [];
    expect(check.split('\n')).toContain(command);
  });
});
