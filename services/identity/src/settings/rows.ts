import {
  GetIntegrations,
  GetSmtpSettings,
  GetStorageSettings,
  SendTenantMail,
  TestIntegration,
  TestSmtpSettings,
  TestStorageSettings,
  UpdateIntegrations,
  UpdateSmtpSettings,
  UpdateStorageSettings,
} from '@messaging-gateway/contracts';
import { internalOperation, operation, type ServiceDefinition } from '@messaging-gateway/service';
import type { IdentityTools } from '../tools.ts';
import { getIntegrations, testIntegration, updateIntegrations } from './integrations.ts';
import { getSmtp, sendTenantMail, testSmtp, updateSmtp } from './smtp.ts';
import { getStorage, testStorage, updateStorage } from './storage.ts';

/** Settings of organizations: what can be read, changed and tried. */
export const settingsRows = (tools: IdentityTools): ServiceDefinition['rows'] => [
  operation(GetStorageSettings, (input) => getStorage(tools, input)),
  operation(UpdateStorageSettings, (input) => updateStorage(tools, input)),
  operation(TestStorageSettings, (input) => testStorage(tools, input)),
  operation(GetSmtpSettings, (input) => getSmtp(tools, input)),
  operation(UpdateSmtpSettings, (input) => updateSmtp(tools, input)),
  operation(TestSmtpSettings, (input) => testSmtp(tools, input)),
  operation(GetIntegrations, (input) => getIntegrations(tools, input)),
  operation(UpdateIntegrations, (input) => updateIntegrations(tools, input)),
  operation(TestIntegration, (input) => testIntegration(tools, input)),
  internalOperation(SendTenantMail, (mail) => sendTenantMail(tools, mail)),
];
