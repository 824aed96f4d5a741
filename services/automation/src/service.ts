import { EraseAutomationData, ReadAutomationData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import type { AutomationSettings } from './config.ts';

/** What answers by itself: flows, rules, hooks, AI with its knowledge; and when it keeps still. */
export const automation = service<AutomationSettings>('automation', {
  features: [],
  personalData: { erase: EraseAutomationData, read: ReadAutomationData },
});
