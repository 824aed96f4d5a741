import {
  GetIntegrations,
  GetSmtpSettings,
  GetStorageSettings,
  IntegrationsChanged,
  ListIntegrations,
  ReadIntegrations,
  SendTenantMail,
  TestIntegration,
  TestSmtpSettings,
  TestStorageSettings,
  UpdateIntegrations,
  UpdateSmtpSettings,
  UpdateStorageSettings,
} from '@messaging-gateway/contracts';
import {
  feature,
  internalOperation,
  operation,
  publication,
  tells,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { integrationsStream, smtpStream, storageStream } from './documents.ts';
import { listIntegrations, readIntegrations } from './handing-over.ts';
import { getIntegrations, testIntegration, updateIntegrations } from './integrations.ts';
import { getSmtp, sendTenantMail, testSmtp, updateSmtp } from './smtp.ts';
import { getStorage, testStorage, updateStorage } from './storage.ts';

/** Settings of organizations: what can be read, changed and tried. They lie in the journal alone, encrypted. */
export const settings = feature({
  name: 'settings',
  streams: [smtpStream, storageStream, integrationsStream],
  tells: [
    tells(integrationsStream, {
      DocumentChanged: ({ version, metadata }) => [
        publication(IntegrationsChanged, { version }, metadata.organizationId),
      ],
    }),
  ],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(GetStorageSettings, (input) => getStorage(tools, input)),
      operation(UpdateStorageSettings, (input) => updateStorage(tools, input)),
      operation(TestStorageSettings, (input) => testStorage(tools, input)),
      operation(GetSmtpSettings, (input) => getSmtp(tools, input)),
      operation(UpdateSmtpSettings, (input) => updateSmtp(tools, input)),
      operation(TestSmtpSettings, (input) => testSmtp(tools, input)),
      operation(GetIntegrations, (input) => getIntegrations(tools, input)),
      operation(UpdateIntegrations, (input) => updateIntegrations(tools, input)),
      operation(TestIntegration, (input) => testIntegration(tools, input)),
      internalOperation(ReadIntegrations, (asked) => readIntegrations(tools, asked)),
      internalOperation(ListIntegrations, (asked) => listIntegrations(tools, asked)),
      internalOperation(SendTenantMail, (mail) => sendTenantMail(tools, mail)),
    ],
  }),
});
