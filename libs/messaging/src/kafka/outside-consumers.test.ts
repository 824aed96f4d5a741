import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { check, ConnectionReady, events, MessageSent } from '@messaging-gateway/contracts';
import { describeWith, testDatabase, testKafka } from '@messaging-gateway/testing';
import type { SuiteFact } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import { openOn } from './kafka.fixture.ts';

const root = new URL('../../../../', import.meta.url);
const organizationId = '0198c0de-0000-7000-8000-0000000000bb';
const key = '0198c0de-0000-7000-8000-0000000000cc';
const kinds = [MessageSent.type, ConnectionReady.type];

interface Document {
  readonly components: { readonly messages: Readonly<Record<string, { readonly payload: object }>> };
}
const document = JSON.parse(readFileSync(new URL('contracts/generated/asyncapi.json', root), 'utf8')) as Document;

/** Faults of a record by the published document: of the kind and version that it names itself. */
function faultsOf(record: string): unknown[] {
  const told = JSON.parse(record) as { readonly type: string; readonly dataschema: string };
  const name = `${told.type}_v${told.dataschema.split(':').at(-1)}`.replaceAll(/[.-]/g, '_');
  const message = document.components.messages[name];
  if (message === undefined) return [`${name} is not in the document`];
  return check({ ...message.payload, components: document.components }, told, told.type);
}

const hasKcat = spawnSync('kcat', ['-V']).status === 0;
if (!hasKcat) console.warn('kcat is not installed (package kcat): its test is skipped.');

describeWith('kafka', 'an outside consumer', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let environment: Record<string, string>;

  beforeAll(async () => {
    const [kafka, database] = await Promise.all([testKafka(), testDatabase()]);
    const { brokers, topicPrefix } = kafka;
    environment = { KAFKA_BROKERS: brokers.join(','), KAFKA_TOPIC_PREFIX: topicPrefix };
    const journal = journalFixture(database.url, organizationId);
    await journal.migrate();
    const opened = openOn(brokers, { topicPrefix });
    const contractOf = (kind: string) => events.find(({ type }) => type === kind);
    const { close } = await journal.connect(opened.events, {
      owns: (kind) => kinds.includes(kind),
      publish: ({ data }) => {
        const contract = contractOf((data as unknown as SuiteFact).kind);
        return contract === undefined ? [] : [{ contract, data: contract.example, key }];
      },
      mark: (event) => ({ ...event, source: contractOf(event.type)?.owner ?? '' }),
    });
    closing.push(kafka.drop, database.drop, journal.close, close, opened.close);
    await journal.tell(kinds.flatMap((kind) => [0, 1, 2].map((n) => ({ kind, key, n }))));
    while (opened.events.toldUpTo?.('teller') === undefined) await delay(20);
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  (hasKcat ? it : it.skip)('kcat reads keys, headers and records', async () => {
    const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '' } = environment;
    for (const kind of kinds) {
      const lines = await kcat([
        '-C',
        '-b',
        KAFKA_BROKERS,
        '-t',
        KAFKA_TOPIC_PREFIX + kind,
        '-c',
        '3',
        '-f',
        '%k %h %s\n',
      ]);
      expect(lines).toHaveLength(3);
      for (const line of lines) {
        const [, recordKey, headers, record = ''] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
        expect([recordKey, headers]).toEqual([key, 'content-type=application/cloudevents+json']);
        expect(faultsOf(record)).toEqual([]);
      }
    }
  });
});

async function kcat(args: string[]): Promise<string[]> {
  const child = spawn('kcat', ['-q', '-o', 'beginning', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => (output += String(data)));
  await new Promise((resolve) => child.once('close', resolve));
  return output.trim().split('\n');
}

describe('a record', () => {
  it('that breaks the document is found', () => {
    const record = {
      specversion: '1.0',
      type: 'message.sent',
      dataschema: `urn:messaging-gateway:event:message.sent:${MessageSent.version}`,
    };
    expect(faultsOf(JSON.stringify(record)).length).toBeGreaterThan(5);
  });
});
