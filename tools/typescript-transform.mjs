import { stripTypeScriptTypes } from 'node:module';

/** Jest's transform: types are stripped in place, so line numbers stay true without source maps. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
