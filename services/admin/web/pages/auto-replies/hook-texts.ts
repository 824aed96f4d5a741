import { catalogue } from '../../language/catalogue.ts';

export const toolWords = catalogue({
  search_knowledge: { en: 'Search knowledge', id: 'Cari pengetahuan', ar: 'البحث في المعرفة' },
  add_tag: { en: 'Add a tag', id: 'Tambah tag', ar: 'إضافة وسم' },
  handover: { en: 'Leave the chat to people', id: 'Serahkan percakapan ke orang', ar: 'ترك المحادثة للناس' },
});

export const hookTexts = catalogue({
  ai: { en: 'AI that answers', id: 'AI yang menjawab', ar: 'ذكاء اصطناعي يجيب' },
  aiText: {
    en: 'It answers what no flow, no auto-reply and no URL has answered. Who would answer a message says the button above.',
    id: 'Menjawab yang tidak dijawab alur, balasan otomatis, atau URL. Tombol di atas menunjukkan siapa yang akan menjawab.',
    ar: 'يجيب ما لم يجبه تدفق ولا رد تلقائي ولا رابط. والزر أعلاه يقول من سيجيب رسالة.',
  },
  none: { en: 'It is not set.', id: 'Belum diatur.', ar: 'لم يُضبط.' },
  configure: { en: 'Set AI', id: 'Atur AI', ar: 'ضبط الذكاء الاصطناعي' },
  modelOfSettings: { en: 'The model of the settings', id: 'Model dari pengaturan', ar: 'نموذج الإعدادات' },
  byKnowledge: { en: 'By knowledge', id: 'Dari pengetahuan', ar: 'من المعرفة' },
  provider: { en: 'Answers by', id: 'Dijawab oleh', ar: 'يجيب' },
  openai: { en: 'A model (OpenAI-compatible)', id: 'Model (kompatibel OpenAI)', ar: 'نموذج (متوافق مع OpenAI)' },
  custom: { en: 'A URL of yours', id: 'URL Anda', ar: 'رابط لك' },
  prompt: { en: 'What the model is told', id: 'Yang diberitahukan ke model', ar: 'ما يُقال للنموذج' },
  knowledge: {
    en: 'Answer by the knowledge of the profile',
    id: 'Jawab dari pengetahuan profil',
    ar: 'الجواب من معرفة الملف',
  },
  fallback: {
    en: 'When it has no answer (optional)',
    id: 'Bila tidak ada jawaban (opsional)',
    ar: 'حين لا جواب (اختياري)',
  },
  fallbackHint: {
    en: 'Sent instead; empty: nothing.',
    id: 'Dikirim sebagai gantinya; kosong: tidak ada.',
    ar: 'يُرسل بدلاً منه؛ فارغ: لا شيء.',
  },
  model: { en: 'Model', id: 'Model', ar: 'النموذج' },
  baseUrl: { en: 'URL of the provider', id: 'URL penyedia', ar: 'رابط المزوّد' },
  ofSettings: {
    en: 'Empty: that of the AI settings.',
    id: 'Kosong: dari pengaturan AI.',
    ar: 'فارغ: ما في إعدادات الذكاء الاصطناعي.',
  },
  apiKey: { en: 'API key of the provider', id: 'Kunci API penyedia', ar: 'مفتاح API للمزوّد' },
  tools: { en: 'What the model may do', id: 'Yang boleh dilakukan model', ar: 'ما يجوز للنموذج' },
  ownTools: {
    en: 'Tools of your own (JSON, optional)',
    id: 'Alat Anda sendiri (JSON, opsional)',
    ar: 'أدواتك (JSON، اختياري)',
  },
  ownToolsHint: {
    en: 'A list of name, description, parameters and url, eight at most.',
    id: 'Daftar name, description, parameters, dan url, paling banyak delapan.',
    ar: 'قائمة من name وdescription وparameters وurl، ثمانية على الأكثر.',
  },
  secret: { en: 'Secret', id: 'Rahasia', ar: 'السر' },
  toolsSecret: {
    en: 'Signs what your tools are sent.',
    id: 'Menandatangani yang dikirim ke alat Anda.',
    ar: 'يوقّع ما يُرسل إلى أدواتك.',
  },
  signs: { en: 'Signs the requests.', id: 'Menandatangani permintaan.', ar: 'يوقّع الطلبات.' },
  url: { en: 'URL', id: 'URL', ar: 'الرابط' },
  headers: { en: 'Headers (optional)', id: 'Header (opsional)', ar: 'الترويسات (اختياري)' },
  headersHint: {
    en: 'One on each line: Name: value',
    id: 'Satu per baris: Nama: nilai',
    ar: 'واحدة في كل سطر: الاسم: القيمة',
  },
  headersKept: {
    en: 'Kept; empty: they stay as they are.',
    id: 'Tersimpan; kosong: tetap.',
    ar: 'محفوظة؛ فارغ: تبقى كما هي.',
  },
  dropHeaders: {
    en: 'Remove the headers that are kept',
    id: 'Hapus header yang tersimpan',
    ar: 'إزالة الترويسات المحفوظة',
  },
  history: { en: 'Earlier messages that go along', id: 'Pesan sebelumnya yang disertakan', ar: 'رسائل سابقة تُرفق' },
  historyHint: { en: '0 to 50; empty: 10.', id: '0 hingga 50; kosong: 10.', ar: '0 إلى 50؛ فارغ: 10.' },
  debounce: { en: 'Wait for further messages (s)', id: 'Tunggu pesan berikutnya (d)', ar: 'انتظار رسائل أخرى (ث)' },
  debounceHint: {
    en: 'Those that follow each other this closely are answered together; empty: at once.',
    id: 'Yang berurutan sedekat ini dijawab bersama; kosong: langsung.',
    ar: 'ما يتتابع بهذا القرب يُجاب معاً؛ فارغ: فوراً.',
  },
  enabled: { en: 'It answers', id: 'Menjawab', ar: 'يجيب' },
});
