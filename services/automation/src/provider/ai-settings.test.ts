import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { aiSettingsStream, type AiSettings } from './ai-settings.ts';

const given = specification(aiSettingsStream.decider);
const changed = (settings: AiSettings) => ({ type: 'AiSettingsChanged', data: { settings } }) as const;
const own = { baseUrl: 'https://ai.example/v1', apiKey: 'secret', model: 'small' };

describe('settings of AI', () => {
  it('keep what is given, and lose what is null', () => {
    given()
      .when({ monthlyTokens: 5, model: 'small' })
      .then(changed({ monthlyTokens: 5, model: 'small' }));
    given(changed(own))
      .when({ model: null, embeddingModel: 'e' })
      .then(changed({ baseUrl: own.baseUrl, apiKey: own.apiKey, embeddingModel: 'e' }));
  });
  it('keep it that there is no limit', () =>
    given(changed({ monthlyTokens: 5 }))
      .when({ monthlyTokens: null })
      .then(changed({ monthlyTokens: null })));
  it('say nothing when nothing changes', () => {
    given(changed(own)).when({ model: 'small', apiKey: 'secret' }).thenNothing();
    given().when({ model: null }).thenNothing();
  });
  it('lose the key with the server that it was given for, unless it is given anew', () => {
    given(changed(own))
      .when({ baseUrl: 'https://ai.example/v2' })
      .then(changed({ ...own, baseUrl: 'https://ai.example/v2' }));
    given(changed(own))
      .when({ baseUrl: 'https://other.example/v1' })
      .then(changed({ baseUrl: 'https://other.example/v1', model: 'small' }));
    given(changed(own))
      .when({ baseUrl: null })
      .then(changed({ model: 'small' }));
    given(changed({ apiKey: 'secret' }))
      .when({ baseUrl: own.baseUrl })
      .then(changed({ baseUrl: own.baseUrl }));
    given(changed(own))
      .when({ baseUrl: 'https://other.example', apiKey: 'new' })
      .then(changed({ baseUrl: 'https://other.example', apiKey: 'new', model: 'small' }));
  });
});
