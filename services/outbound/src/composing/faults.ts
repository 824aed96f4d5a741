import { invalid, type Refused } from '@messaging-gateway/messaging';

/** An input that a schema cannot judge. @param message the rest of a sentence that begins with the field's name */
export const invalidField = (path: string, message: string): Refused => invalid([{ path, message }]);
