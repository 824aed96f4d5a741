import { useState } from 'react';
import { appear, appearances, storedAppearance } from '../../kit/appearance.ts';
import { Radios, Select } from '../../kit/fields.tsx';
import { languages } from '../../language/catalogue.ts';
import { useLanguage, useTexts } from '../../language/language.tsx';
import { languageNames } from '../../language/names.ts';
import { Card } from '../../kit/card.tsx';
import { texts } from './texts.ts';

/** Language and appearance, kept in this browser. */
export function LooksCard() {
  const t = useTexts(texts);
  const { language, speak } = useLanguage();
  const [appearance, setAppearance] = useState(storedAppearance);
  return (
    <Card title={t('looks')}>
      <Select
        label={t('language')}
        name="language"
        value={language}
        onValue={speak}
        choices={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      <div className="grid gap-1">
        <p className="font-medium">{t('appearance')}</p>
        <Radios
          label={t('appearance')}
          name="appearance"
          value={appearance}
          onValue={(chosen) => {
            appear(chosen);
            setAppearance(chosen);
          }}
          choices={appearances.map((value) => ({ value, label: t(value) }))}
        />
      </div>
    </Card>
  );
}
