import { Checkbox, Select, TextArea, TextField } from '../kit/fields.tsx';
import { useTexts } from '../language/language.tsx';
import { contentTypes, type ContentType, type ContentValues } from './composing.ts';
import { MediaField } from './media-field.tsx';
import { texts, typeWords } from './texts.ts';

interface TypeGiven {
  readonly name: string;
  readonly value: ContentType;
  readonly onValue: (type: ContentType) => void;
}

/** Combobox *Type*: what kind of message it is. */
export function TypeSelect(given: TypeGiven) {
  const t = useTexts(texts);
  const words = useTexts(typeWords);
  return (
    <Select label={t('type')} {...given} choices={contentTypes.map((type) => ({ value: type, label: words(type) }))} />
  );
}

interface Given {
  readonly type: ContentType;
  readonly values: ContentValues;
  readonly onValues: (changed: Partial<ContentValues>) => void;
  /** Path of the content in the request, by which faults are named. */
  readonly path: string;
  /** About placeholders, below the text. */
  readonly hint?: string | undefined;
}

/** The fields of a message of a type. */
export function ContentFields({ type, values, onValues, path, hint }: Given) {
  const t = useTexts(texts);
  const bind = (key: Exclude<keyof ContentValues, 'allowMultiple'>, field: string = key) => ({
    name: `${path}.${field}`,
    value: values[key],
    onValue: (value: string) => onValues({ [key]: value }),
  });
  switch (type) {
    case 'text':
      return <TextArea label={t('message')} hint={hint} dir="auto" {...bind('text')} />;
    case 'image':
    case 'video':
      return (
        <>
          <MediaField {...bind('url')} />
          <TextArea label={t('caption')} hint={hint} rows={2} dir="auto" {...bind('caption')} />
        </>
      );
    case 'audio':
      return <MediaField {...bind('url')} />;
    case 'document':
      return (
        <>
          <MediaField {...bind('url')} onFile={({ name }) => values.filename === '' && onValues({ filename: name })} />
          <TextField label={t('filename')} {...bind('filename')} />
          <TextArea label={t('caption')} hint={hint} rows={2} dir="auto" {...bind('caption')} />
        </>
      );
    case 'location':
      return (
        <>
          <TextField label={t('latitude')} inputMode="decimal" {...bind('latitude')} />
          <TextField label={t('longitude')} inputMode="decimal" {...bind('longitude')} />
          <TextField label={t('place')} {...bind('place', 'name')} />
          <TextField label={t('address')} {...bind('address')} />
        </>
      );
    case 'contact':
      return (
        <>
          <TextField label={t('contactName')} {...bind('contactName', 'contacts[0].name')} />
          <TextField label={t('contactPhone')} type="tel" {...bind('contactPhone', 'contacts[0].phone')} />
        </>
      );
    default:
      return (
        <>
          <TextField label={t('question')} dir="auto" {...bind('question')} />
          <TextArea label={t('options')} hint={t('optionsHint')} dir="auto" {...bind('options')} />
          <Checkbox
            label={t('several')}
            name={`${path}.allowMultiple`}
            value={values.allowMultiple}
            onValue={(allowMultiple) => onValues({ allowMultiple })}
          />
        </>
      );
  }
}
