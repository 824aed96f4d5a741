import { DescribeActors, ReadCredentialGeneration, ResolveCredential } from '@messaging-gateway/contracts';
import { feature, internalOperation, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { readGeneration } from '../credential/revoking.ts';
import { access } from '../tools.ts';
import { credentialGeneration } from './0002-credential-generation.migration.ts';
import { describeActors } from './describing-actors.ts';
import { resolveCredential } from './resolving.ts';

/** Callers: for the gateways, who has a session or a key and what it allows; for the audit, what they are called. */
export const callers = feature({
  name: 'callers',
  migrations: [credentialGeneration],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      internalOperation(ResolveCredential, (asked) => resolveCredential(tools, asked)),
      internalOperation(DescribeActors, (asked, context) => describeActors(asked, context)),
      internalOperation(ReadCredentialGeneration, () => readGeneration(tools)),
    ],
  }),
});
