import { catalogue } from '../../language/catalogue.ts';

export const modeWords = catalogue({
  contains: { en: 'The text has a keyword in it', id: 'Teks memuat kata kunci', ar: 'في النص كلمة مفتاحية' },
  exact: { en: 'The whole text is a keyword', id: 'Seluruh teks adalah kata kunci', ar: 'النص كله كلمة مفتاحية' },
  startsWith: {
    en: 'The text begins with a keyword',
    id: 'Teks diawali kata kunci',
    ar: 'يبدأ النص بكلمة مفتاحية',
  },
});

export const texts = catalogue({
  title: { en: 'Auto-replies', id: 'Balasan otomatis', ar: 'ردود تلقائية' },
  create: { en: 'Create auto-reply', id: 'Buat balasan otomatis', ar: 'إنشاء رد تلقائي' },
  keywords: { en: 'Keywords', id: 'Kata kunci', ar: 'كلمات مفتاحية' },
  keywordsHint: {
    en: 'Separated by commas. Any of them; case does not count.',
    id: 'Dipisahkan koma. Salah satunya; huruf besar kecil tidak dibedakan.',
    ar: 'مفصولة بفواصل. أيٌّ منها؛ دون تمييز حالة الأحرف.',
  },
  mode: { en: 'When', id: 'Kapan', ar: 'متى' },
  response: { en: 'Answer', id: 'Jawaban', ar: 'الجواب' },
  responseHint: {
    en: 'May hold {names}.',
    id: 'Dapat memuat {names}.',
    ar: 'قد يحوي {names}.',
  },
  cooldown: { en: 'Silence afterwards (s)', id: 'Diam sesudahnya (s)', ar: 'صمت بعده (ث)' },
  cooldownHint: {
    en: 'For so long it answers the same person no second time.',
    id: 'Selama itu tidak menjawab orang yang sama dua kali.',
    ar: 'طوال ذلك لا يجيب الشخص نفسه مرة ثانية.',
  },
  enabled: { en: 'It answers', id: 'Menjawab', ar: 'يجيب' },
  privateOnly: { en: 'Keeps still in groups', id: 'Diam di grup', ar: 'يصمت في المجموعات' },
  order: {
    en: 'First those of flows, then these in the order in which they were made, then the URL, then AI. The first that fits answers.',
    id: 'Pertama alur, lalu ini menurut urutan dibuat, lalu URL, lalu AI. Yang pertama cocok menjawab.',
    ar: 'أولاً التدفقات، ثم هذه بترتيب إنشائها، ثم الرابط، ثم الذكاء الاصطناعي. يجيب أول ما يناسب.',
  },
  empty: { en: 'No auto-replies yet', id: 'Belum ada balasan otomatis', ar: 'لا ردود تلقائية بعد' },
  emptyText: {
    en: 'A text that answers messages with a keyword by itself.',
    id: 'Teks yang menjawab sendiri pesan dengan kata kunci.',
    ar: 'نص يجيب تلقائياً الرسائل التي فيها كلمة مفتاحية.',
  },
  removeText: {
    en: 'Messages with {keywords} are not answered by it any more.',
    id: 'Pesan dengan {keywords} tidak dijawab lagi olehnya.',
    ar: 'لن يجيب بعد الآن الرسائل التي فيها {keywords}.',
  },
  url: { en: 'A URL that answers', id: 'URL yang menjawab', ar: 'رابط يجيب' },
  urlText: {
    en: 'What no flow and no auto-reply has answered is posted to it; it says what to answer.',
    id: 'Yang tidak dijawab alur atau balasan otomatis dikirim ke sana; URL itu menentukan jawabannya.',
    ar: 'ما لم يجبه تدفق أو رد تلقائي يُرسل إليه؛ وهو يقول بماذا يُجاب.',
  },
  urlNone: { en: 'There is none.', id: 'Tidak ada.', ar: 'لا يوجد.' },
  configureUrl: { en: 'Set URL', id: 'Atur URL', ar: 'ضبط الرابط' },
  address: { en: 'URL', id: 'URL', ar: 'الرابط' },
  secret: { en: 'Secret (optional)', id: 'Rahasia (opsional)', ar: 'السر (اختياري)' },
  secretHint: {
    en: 'Signs the requests.',
    id: 'Menandatangani permintaan.',
    ar: 'يوقّع الطلبات.',
  },
  signed: { en: 'Signed', id: 'Ditandatangani', ar: 'موقّع' },
});
