import type { Setting, SettingForm } from '@messaging-gateway/runtime';

type Schema = Readonly<Record<string, unknown>>;

const wholeNumber = '^-?[0-9]+$';
const decimal = '^-?[0-9]+(\\.[0-9]+)?$';

/** Schema of a value of `config`: as YAML reads it, or as a text; an empty text counts as not given. */
export function schemaOfSetting({ means, byDefault, read: { form } }: Setting<unknown>): Schema {
  const told = {
    description: means.replaceAll('`', ''),
    ...(byDefault !== undefined && { $comment: `default: ${byDefault}` }),
  };
  return { ...told, anyOf: [...formsOf(form), { type: 'string', maxLength: 0 }] };
}

function formsOf(form: SettingForm | undefined): readonly Schema[] {
  switch (form?.kind) {
    case 'integer':
      return [
        { type: 'integer', ...boundsOf(form) },
        { type: 'string', pattern: wholeNumber },
      ];
    case 'number':
      return [
        { type: 'number', ...boundsOf(form) },
        { type: 'string', pattern: decimal },
      ];
    case 'flag':
      return [{ type: 'boolean' }, { enum: ['true', 'false'] }];
    case 'words':
      return [{ enum: form.words }];
    case 'pattern':
      return [{ type: 'string', pattern: form.pattern }];
    case undefined:
      return [{ type: ['string', 'number', 'boolean'] }];
  }
}

const boundsOf = ({ minimum, maximum }: SettingForm): Schema => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});
