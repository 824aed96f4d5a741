import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readCommandSettings } from './operator/command-settings.ts';
import { readAllSettings } from './config.ts';

const directory = mkdtempSync(join(tmpdir(), 'messaging-gateway-settings-'));
const DATA_DIR = join(directory, 'data');
const key = '0123456789abcdef0123456789ABCDEF';
afterAll(() => rmSync(directory, { recursive: true }));

describe('the settings of the single process', () => {
  it('make what is not given, outside of production', () => {
    const { standalone, identity } = readAllSettings({ DATA_DIR });
    expect(standalone.encryptionKey).toHaveLength(32);
    expect(identity.jwtRefreshSecret).not.toBe(identity.jwtSecret);
    expect(standalone.databaseUrl).toBeUndefined();
  });

  it('are kept in a folder that is closed to others, also when it was open', () => {
    const mode = (): number => statSync(DATA_DIR).mode & 0o777;
    expect(mode()).toBe(0o700);
    chmodSync(DATA_DIR, 0o755);
    readAllSettings({ DATA_DIR });
    expect(mode()).toBe(0o700);
  });

  it('are not made beside a database that they would not open', () => {
    const lost = join(directory, 'lost');
    mkdirSync(join(lost, 'postgres', 'cluster'), { recursive: true });
    expect(() => readAllSettings({ DATA_DIR: lost })).toThrow(/secrets\.json is not there.* put it back/);
    expect(existsSync(join(lost, 'secrets.json'))).toBe(false);
  });

  it('take a weak encryption key only where data are sealed with it', () => {
    const weak = { DATA_DIR: join(directory, 'weak'), ENCRYPTION_KEY: 'ab'.repeat(16) };
    expect(() => readAllSettings(weak)).toThrow(/ENCRYPTION_KEY is too weak/);
    mkdirSync(join(weak.DATA_DIR, 'postgres', 'cluster'), { recursive: true });
    expect(readAllSettings(weak).standalone.encryptionKey).toBe(weak.ENCRYPTION_KEY);
  });

  it('must be given in production, all of them named at once', () => {
    const read = (): unknown => readAllSettings({ DATA_DIR, NODE_ENV: 'production' });
    for (const variable of ['DATABASE_URL', 'CACHE_URL', 'JWT_SECRET', 'JWT_REFRESH_SECRET'])
      expect(read).toThrow(`${variable} is required`);
  });

  it('keep journals for as long as a message may wait', () => {
    const short = { DATA_DIR, EVENT_RETENTION_DAYS: '1', RECEIPT_WINDOW_DAYS: '1' };
    expect(() => readAllSettings(short)).toThrow(
      /QUEUED_MESSAGE_TTL_HOURS \(72 hours\) must not be longer .* RECEIPT_WINDOW_DAYS or EVENT_RETENTION_DAYS \(1 days\)/,
    );
    expect(readAllSettings({ ...short, QUEUED_MESSAGE_TTL_HOURS: '24' }).outbound.queuedMessageTtlHours).toBe(24);
    expect(readAllSettings({ ...short, EVENT_RETENTION_DAYS: '3' }).outbound.queuedMessageTtlHours).toBe(72);
    expect(() => readAllSettings({ ...short, EVENT_RETENTION_DAYS: 'x' })).toThrow(/EVENT_RETENTION_DAYS/);
  });

  it('send whoever has brokers to the program that uses them', () => {
    const both = { DATA_DIR, AMQP_URL: 'amqp://localhost', KAFKA_BROKERS: 'localhost:9092' };
    expect(() => readAllSettings(both)).toThrow('npm run start:distributed');
    expect(() => readAllSettings({ ...both, KAFKA_BROKERS: ' ' })).toThrow('AMQP_URL is set without KAFKA_BROKERS');
    expect(() => readAllSettings({ ...both, AMQP_URL: '' })).toThrow('KAFKA_BROKERS is set without AMQP_URL');
  });
});

describe('the settings of a command', () => {
  it('are those that were made for the single process', () => {
    const { standalone } = readAllSettings({ DATA_DIR });
    expect(readCommandSettings({ DATA_DIR })).toMatchObject({ encryptionKey: standalone.encryptionKey });
  });

  it('are given for a distributed installation, for which nothing is made', () => {
    const elsewhere = join(directory, 'elsewhere');
    const given = { DATA_DIR: elsewhere, AMQP_URL: 'amqp://localhost', KAFKA_BROKERS: 'localhost:9092' };
    expect(() => readCommandSettings(given)).toThrow(/DATABASE_URL is required; ENCRYPTION_KEY is required/);
    const complete = { ...given, DATABASE_URL: 'postgresql://localhost/gateway', ENCRYPTION_KEY: key };
    expect(readCommandSettings(complete)).toMatchObject({ encryptionKey: key });
    expect(existsSync(elsewhere)).toBe(false);
  });
});
