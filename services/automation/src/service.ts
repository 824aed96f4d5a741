import { EraseAutomationData, ReadAutomationData } from '@messaging-gateway/contracts';
import { service } from '@messaging-gateway/service';
import { ai } from './ai/feature.ts';
import { answering } from './answering/feature.ts';
import { answerers } from './answerers/feature.ts';
import type { AutomationSettings } from './config.ts';
import { flows } from './flows/feature.ts';
import { hooks } from './hooks/feature.ts';
import { knowledge } from './knowledge/feature.ts';
import { provider } from './provider/feature.ts';
import { quickReplies } from './quick-replies/feature.ts';
import { rules } from './rules/feature.ts';
import { runs } from './runs/feature.ts';
import { schedules } from './schedules/feature.ts';
import { typebot } from './typebot/feature.ts';

/** Answerers (flows, rules, hooks, Typebot, AI with its knowledge), and the rules by which they keep still. */
export const automation = service<AutomationSettings>('automation', {
  features: [
    provider,
    knowledge,
    ai,
    answerers,
    flows,
    rules,
    quickReplies,
    hooks,
    typebot,
    runs,
    schedules,
    answering,
  ],
  personalData: { erase: EraseAutomationData, read: ReadAutomationData },
});
