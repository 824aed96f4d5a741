import { Refused } from '@messaging-gateway/messaging';

/** A provider that has answered, with a status that is none of success. */
export class ProviderFailed extends Refused {
  readonly providerStatus: number;

  constructor(status: number) {
    super('AI_PROVIDER_FAILED', `The AI provider answered ${status}.`);
    this.providerStatus = status;
  }
}
