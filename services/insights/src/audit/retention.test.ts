import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testCaller, type TestService } from '@messaging-gateway/service/testing';
import { eventually } from '@messaging-gateway/testing';
import { entriesOf, tellChange, testAudit } from '../testing/audit-service.ts';

const day = 86_400_000;
let service: TestService;
beforeAll(async () => {
  service = await testAudit(40);
});
afterAll(() => service.stop());

const partitions = async (): Promise<string[]> =>
  (
    await service.sql.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'insights.audit_entries'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);
const month = (time: number): string => `audit_entries_${new Date(time).toISOString().slice(0, 7).replace('-', '_')}`;

describe('the retention of the audit', () => {
  it('removes entries after AUDIT_RETENTION_DAYS, and whole months with their partition', async () => {
    const caller = testCaller();
    const begun = service.clock.now();
    expect(await partitions()).toContain(month(begun));
    await tellChange(service, caller);
    service.clock.advance(30 * day);
    const later = await tellChange(service, caller);
    expect((await entriesOf(service, caller)).items).toHaveLength(2);
    service.clock.advance(20 * day);
    await eventually(async () => ((await entriesOf(service, caller)).items.length === 1 ? true : undefined));
    expect((await entriesOf(service, caller)).items.map(({ id }) => id)).toEqual([later]);
    service.clock.advance(60 * day);
    await eventually(async () => ((await partitions()).includes(month(begun)) ? undefined : true));
    await eventually(async () => ((await entriesOf(service, caller)).items.length === 0 ? true : undefined));
    expect(await partitions()).toContain(month(service.clock.now()));
  });
});
