import { catalogue } from '../language/catalogue.ts';

export const triggerWords = catalogue({
  keyword: { en: 'A message with a word', id: 'Pesan dengan kata', ar: 'رسالة فيها كلمة' },
  regex: { en: 'A message with a pattern', id: 'Pesan dengan pola', ar: 'رسالة فيها نمط' },
  new_contact: { en: 'The first message of a person', id: 'Pesan pertama seseorang', ar: 'أول رسالة من شخص' },
  schedule: { en: 'A time', id: 'Waktu', ar: 'وقت' },
});

export const conditionWords = catalogue({
  tag: { en: 'The contact has a tag', id: 'Kontak memiliki tag', ar: 'لجهة الاتصال وسم' },
  field: { en: 'A field of the contact', id: 'Kolom kontak', ar: 'حقل في جهة الاتصال' },
  time: { en: 'Time and day', id: 'Waktu dan hari', ar: 'الوقت واليوم' },
  message_type: { en: 'Type of the message', id: 'Jenis pesan', ar: 'نوع الرسالة' },
  quoted: { en: 'It answers a message', id: 'Membalas pesan', ar: 'ترد على رسالة' },
});

export const stepWords = catalogue({
  send: { en: 'Send a message', id: 'Kirim pesan', ar: 'إرسال رسالة' },
  template: { en: 'Send a template', id: 'Kirim templat', ar: 'إرسال قالب' },
  ai_reply: { en: 'Let AI answer', id: 'Biarkan AI menjawab', ar: 'يجيب الذكاء الاصطناعي' },
  add_tag: { en: 'Add a tag', id: 'Tambah tag', ar: 'إضافة وسم' },
  remove_tag: { en: 'Remove a tag', id: 'Hapus tag', ar: 'إزالة وسم' },
  webhook: { en: 'Tell a URL', id: 'Beri tahu URL', ar: 'إبلاغ رابط' },
  delay: { en: 'Wait', id: 'Tunggu', ar: 'انتظار' },
  handover: { en: 'Leave the chat to people', id: 'Serahkan ke orang', ar: 'ترك المحادثة للناس' },
  stop: { en: 'End the run', id: 'Akhiri', ar: 'إنهاء التشغيل' },
});

export const operatorWords = catalogue({
  equals: { en: 'is', id: 'adalah', ar: 'هو' },
  contains: { en: 'contains', id: 'memuat', ar: 'يحوي' },
  exists: { en: 'has a value', id: 'memiliki nilai', ar: 'له قيمة' },
});

export const dayWords = catalogue({
  '1': { en: 'Monday', id: 'Senin', ar: 'الاثنين' },
  '2': { en: 'Tuesday', id: 'Selasa', ar: 'الثلاثاء' },
  '3': { en: 'Wednesday', id: 'Rabu', ar: 'الأربعاء' },
  '4': { en: 'Thursday', id: 'Kamis', ar: 'الخميس' },
  '5': { en: 'Friday', id: 'Jumat', ar: 'الجمعة' },
  '6': { en: 'Saturday', id: 'Sabtu', ar: 'السبت' },
  '7': { en: 'Sunday', id: 'Minggu', ar: 'الأحد' },
});

export const texts = catalogue({
  create: { en: 'Create flow', id: 'Buat alur', ar: 'إنشاء تدفق' },
  trigger: { en: 'Trigger', id: 'Pemicu', ar: 'المحفّز' },
  keywords: { en: 'Words', id: 'Kata', ar: 'الكلمات' },
  keywordsHint: {
    en: 'Separated by commas; any of them, as whole words in any case.',
    id: 'Dipisahkan koma; salah satunya, sebagai kata utuh.',
    ar: 'مفصولة بفواصل؛ أيٌّ منها ككلمة كاملة.',
  },
  pattern: { en: 'Pattern (RE2)', id: 'Pola (RE2)', ar: 'النمط (RE2)' },
  cron: { en: 'Cron', id: 'Cron', ar: 'جدول cron' },
  cronHint: {
    en: 'Minute, hour, day, month, day of the week, such as 0 9 * * 1-5.',
    id: 'Menit, jam, tanggal, bulan, hari, misalnya 0 9 * * 1-5.',
    ar: 'الدقيقة والساعة واليوم والشهر ويوم الأسبوع، مثل 0 9 * * 1-5.',
  },
  timezone: { en: 'Time zone', id: 'Zona waktu', ar: 'المنطقة الزمنية' },
  recipients: { en: 'Recipients', id: 'Penerima', ar: 'المستلمون' },
  all: { en: 'All contacts', id: 'Semua kontak', ar: 'كل جهات الاتصال' },
  byTags: { en: 'Contacts with a tag', id: 'Kontak dengan tag', ar: 'جهات بوسم' },
  byIds: { en: 'These contacts', id: 'Kontak ini', ar: 'هذه الجهات' },
  people: { en: 'Tags or ids of contacts', id: 'Tag atau id kontak', ar: 'وسوم أو معرّفات جهات' },
  conditions: { en: 'Conditions', id: 'Syarat', ar: 'الشروط' },
  conditionsText: { en: 'All must hold.', id: 'Semua harus terpenuhi.', ar: 'يجب أن تتحقق كلها.' },
  condition: { en: 'Condition {number}', id: 'Syarat {number}', ar: 'الشرط {number}' },
  addCondition: { en: 'Add condition', id: 'Tambah syarat', ar: 'إضافة شرط' },
  what: { en: 'What', id: 'Apa', ar: 'ماذا' },
  not: { en: 'It must not hold', id: 'Tidak boleh terpenuhi', ar: 'يجب ألا يتحقق' },
  tag: { en: 'Tag', id: 'Tag', ar: 'الوسم' },
  field: { en: 'Field', id: 'Kolom', ar: 'الحقل' },
  fieldHint: {
    en: 'name, pushName, phone, or metadata. and a key.',
    id: 'name, pushName, phone, atau metadata. dan kunci.',
    ar: 'name أو pushName أو phone أو metadata. ومفتاح.',
  },
  operator: { en: 'How', id: 'Bagaimana', ar: 'كيف' },
  value: { en: 'Value', id: 'Nilai', ar: 'القيمة' },
  days: { en: 'Days (none: all)', id: 'Hari (kosong: semua)', ar: 'الأيام (لا شيء: كلها)' },
  from: { en: 'From', id: 'Dari', ar: 'من' },
  to: { en: 'Until', id: 'Sampai', ar: 'حتى' },
  types: { en: 'Types', id: 'Jenis', ar: 'الأنواع' },
  steps: { en: 'Steps', id: 'Langkah', ar: 'الخطوات' },
  step: { en: 'Step {number}', id: 'Langkah {number}', ar: 'الخطوة {number}' },
  addStep: { en: 'Add step', id: 'Tambah langkah', ar: 'إضافة خطوة' },
  up: { en: 'Move up', id: 'Naikkan', ar: 'تحريك لأعلى' },
  down: { en: 'Move down', id: 'Turunkan', ar: 'تحريك لأسفل' },
  drop: { en: 'Remove', id: 'Hapus', ar: 'إزالة' },
  placeholders: { en: 'May hold {names}.', id: 'Dapat memuat {names}.', ar: 'قد يحوي {names}.' },
  link: { en: 'Link (optional)', id: 'Tautan (opsional)', ar: 'رابط (اختياري)' },
  template: { en: 'Template', id: 'Templat', ar: 'القالب' },
  variables: { en: 'Values', id: 'Nilai', ar: 'القيم' },
  variablesHint: {
    en: 'name = value, one in each line.',
    id: 'nama = nilai, satu per baris.',
    ar: 'الاسم = القيمة، واحدة في كل سطر.',
  },
  knowledge: {
    en: 'Answers by the knowledge of the profile',
    id: 'Menjawab dari pengetahuan profil',
    ar: 'يجيب من معرفة الملف',
  },
  prompt: {
    en: 'What the model is told (optional)',
    id: 'Perintah untuk model (opsional)',
    ar: 'ما يقال للنموذج (اختياري)',
  },
  fallback: {
    en: 'Sent when there is no answer (optional)',
    id: 'Dikirim bila tanpa jawaban (opsional)',
    ar: 'يُرسل إن لم يكن جواب (اختياري)',
  },
  url: { en: 'URL', id: 'URL', ar: 'الرابط' },
  method: { en: 'Method', id: 'Metode', ar: 'الطريقة' },
  ms: { en: 'Milliseconds', id: 'Milidetik', ar: 'ملّي ثانية' },
  cooldown: { en: 'Silence afterwards (s)', id: 'Diam sesudahnya (s)', ar: 'صمت بعده (ث)' },
  enabled: { en: 'It answers', id: 'Menjawab', ar: 'يجيب' },
  groups: { en: 'In groups, too', id: 'Di grup juga', ar: 'في المجموعات أيضاً' },
  continue: {
    en: 'Others may answer the same message, too',
    id: 'Yang lain boleh menjawab pesan yang sama',
    ar: 'يجوز أن يجيب غيره الرسالة نفسها',
  },
  secret: { en: 'Secret (optional)', id: 'Rahasia (opsional)', ar: 'السر (اختياري)' },
  secretHint: {
    en: 'Signs what is told to URLs.',
    id: 'Menandatangani yang dikirim ke URL.',
    ar: 'يوقّع ما يُبلَّغ للروابط.',
  },
});
