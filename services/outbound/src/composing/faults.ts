import { Refused } from '@messaging-gateway/messaging';

/** An input that a schema cannot judge. @param message the rest of a sentence that begins with the field's name */
export const invalid = (path: string, message: string): Refused =>
  new Refused('VALIDATION_ERROR', 'The request is not valid.', [{ path, message }]);
