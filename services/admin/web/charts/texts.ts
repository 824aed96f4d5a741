import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  csv: { en: 'CSV of {name}', id: 'CSV {name}', ar: 'CSV لـ {name}' },
  share: { en: 'Share', id: 'Bagian', ar: 'الحصة' },
});
