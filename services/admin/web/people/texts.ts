import { catalogue } from '../language/catalogue.ts';

export const texts = catalogue({
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  phone: { en: 'Phone', id: 'Telepon', ar: 'الهاتف' },
  phoneHint: {
    en: 'With country code, for example +49 151 12345678.',
    id: 'Dengan kode negara, misalnya +49 151 12345678.',
    ar: 'مع رمز البلد، مثل ‎+49 151 12345678.',
  },
  tags: { en: 'Tags', id: 'Tag', ar: 'الوسوم' },
  tagsHint: { en: 'Separated by commas.', id: 'Dipisahkan koma.', ar: 'تفصل بينها فواصل.' },
  editTitle: { en: 'Edit', id: 'Ubah', ar: 'تعديل' },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  saved: { en: 'Saved.', id: 'Tersimpan.', ar: 'تم الحفظ.' },
  blocked: { en: 'Left out of broadcasts', id: 'Tidak ikut siaran', ar: 'مستثنى من البث' },
  remove: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  removeText: {
    en: 'The contact {name} with its tags is forgotten. Conversations and messages stay.',
    id: 'Kontak {name} beserta tagnya dihapus. Percakapan dan pesan tetap ada.',
    ar: 'تُحذف جهة الاتصال {name} مع وسومها. تبقى المحادثات والرسائل.',
  },
  removed: { en: 'Contact deleted.', id: 'Kontak dihapus.', ar: 'تم حذف جهة الاتصال.' },
  unnamed: { en: 'Without a name', id: 'Tanpa nama', ar: 'بلا اسم' },
});
