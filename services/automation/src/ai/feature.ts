import { CompleteText, ScoreSentiment, SuggestReply, TranslateText } from '@messaging-gateway/contracts';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import { knowledge } from '../knowledge/feature.ts';
import { provider } from '../provider/feature.ts';
import { generate, type Generating } from './generating.ts';
import { completeText, scoreSentiment, suggestReply, translateText } from './routes.ts';
import { Speeches } from './speeches.ts';

/** Texts of a model: for whoever asks by REST, and for what answers by itself. */
export const ai = feature({
  name: 'ai',
  needs: { provider, knowledge },
  connect: (given: ServiceTools<unknown>, { provider: { speaker }, knowledge: { search } }) => {
    const { log } = given;
    const parts = { speaker, search, log };
    const speeches = new Speeches(given);
    const tools = { ...parts, ask: given.ask, speeches };
    return {
      api: { generate: (asked: Generating) => generate(parts, asked) },
      rows: [
        operation(CompleteText, (input) => completeText(tools, input)),
        operation(SuggestReply, (input) => suggestReply(tools, input)),
        operation(ScoreSentiment, (input) => scoreSentiment(tools, input)),
        operation(TranslateText, (input) => translateText(tools, input)),
      ],
      running: [speeches],
    };
  },
});
