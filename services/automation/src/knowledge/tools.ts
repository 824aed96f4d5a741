import type { ServiceTools } from '@messaging-gateway/service';
import type { AutomationSettings } from '../config.ts';
import type { Embeddings } from './embeddings.ts';

export interface KnowledgeTools extends ServiceTools<AutomationSettings> {
  readonly embeddings: Embeddings;
}
