import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Quick replies', id: 'Balasan cepat', ar: 'ردود سريعة' },
  create: { en: 'Create quick reply', id: 'Buat balasan cepat', ar: 'إنشاء رد سريع' },
  shortcut: { en: 'Shortcut', id: 'Pintasan', ar: 'الاختصار' },
  shortcutHint: {
    en: 'What is typed behind a slash in the inbox to get the text. No blanks.',
    id: 'Yang diketik setelah garis miring di kotak masuk untuk memperoleh teksnya. Tanpa spasi.',
    ar: 'ما يُكتب بعد شرطة مائلة في صندوق الوارد للحصول على النص. بلا فراغات.',
  },
  headline: { en: 'Title', id: 'Judul', ar: 'العنوان' },
  shortcutStays: {
    en: '{shortcut} stays. For another shortcut create another quick reply.',
    id: '{shortcut} tetap. Untuk pintasan lain, buat balasan cepat lain.',
    ar: 'يبقى {shortcut}. لاختصار آخر أنشئ رداً سريعاً آخر.',
  },
  empty: { en: 'No quick replies yet', id: 'Belum ada balasan cepat', ar: 'لا ردود سريعة بعد' },
  emptyText: {
    en: 'Texts that are written often. In the inbox a slash offers them.',
    id: 'Teks yang sering ditulis. Di kotak masuk, garis miring menawarkannya.',
    ar: 'نصوص تُكتب كثيراً. تعرضها شرطة مائلة في صندوق الوارد.',
  },
  removeText: {
    en: 'Nobody is offered {name} any more.',
    id: '{name} tidak ditawarkan lagi.',
    ar: 'لن يُعرض {name} بعد الآن.',
  },
});
