import {
  DeleteAccountData,
  DeleteOwnAccount,
  ExportAccount,
  MemberLeft,
  MemberRemoved,
} from '@messaging-gateway/contracts';
import { feature, operation, reaction, type PeriodicJob, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { endMembership } from '../member/removing.ts';
import { access, type IdentityTools } from '../tools.ts';
import type { ErasureOf } from '../erasure/erasure.ts';
import { erasing } from './erasing.ts';
import { exportAccount } from './exporting.ts';
import { leave } from './leaving.ts';
import { requestErasure } from '../erasure/requesting.ts';

/** Personal data: shown to the people themselves, and erased in every service once they leave. */
export const personalData = feature({
  name: 'personal data',
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => {
    const erasures = erasing(tools);
    return {
      rows: [
        operation(ExportAccount, (input) => exportAccount(tools, input)),
        operation(DeleteAccountData, async (input) => {
          await leave(tools, erasures, input);
          return { status: 'erasing' as const };
        }),
        operation(DeleteOwnAccount, (input) => leave(tools, erasures, input)),
      ],
      hears: [
        reaction(MemberRemoved, ({ userId }, event) =>
          afterMembership(tools, erasures, { userId, wholeOrganization: false }, event),
        ),
        reaction(MemberLeft, (left, event) => afterMembership(tools, erasures, left, event)),
      ],
      jobs: [erasures],
    };
  },
});

/** A user belongs to one organization: with the membership ends the account, and what is known of the person is erased. */
async function afterMembership(
  tools: IdentityTools,
  erasures: PeriodicJob,
  left: Pick<ErasureOf, 'userId' | 'wholeOrganization'>,
  { organizationId, id: cause }: { organizationId: string; id: string },
): Promise<void> {
  const of = { ...left, organizationId };
  await endMembership(tools, of, { organizationId, subject: `user:${of.userId}`, cause });
  await requestErasure(tools, of);
  erasures.wake();
}
