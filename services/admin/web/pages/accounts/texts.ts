import { catalogue } from '../../language/catalogue.ts';

export const texts = catalogue({
  title: { en: 'Accounts', id: 'Akun', ar: 'الحسابات' },
  name: { en: 'Name', id: 'Nama', ar: 'الاسم' },
  description: { en: 'Description', id: 'Keterangan', ar: 'الوصف' },
  workspace: { en: 'Workspace', id: 'Ruang kerja', ar: 'مساحة العمل' },
  workspaceFirst: { en: 'The first one', id: 'Yang pertama', ar: 'الأولى' },
  workspaceAll: { en: 'All workspaces', id: 'Semua ruang kerja', ar: 'كل مساحات العمل' },
  created: { en: 'Created', id: 'Dibuat', ar: 'أُنشئ' },
  search: { en: 'Search accounts', id: 'Cari akun', ar: 'ابحث في الحسابات' },
  actions: { en: 'Actions', id: 'Tindakan', ar: 'إجراءات' },
  create: { en: 'Create account', id: 'Buat akun', ar: 'إنشاء حساب' },
  createSubmit: { en: 'Create', id: 'Buat', ar: 'إنشاء' },
  edit: { en: 'Edit', id: 'Ubah', ar: 'تعديل' },
  save: { en: 'Save', id: 'Simpan', ar: 'حفظ' },
  saved: { en: 'Saved.', id: 'Tersimpan.', ar: 'تم الحفظ.' },
  delete: { en: 'Delete', id: 'Hapus', ar: 'حذف' },
  deleteText: {
    en: '“{name}” can be deleted while it holds no profiles.',
    id: '“{name}” dapat dihapus selama tidak berisi profil.',
    ar: 'يمكن حذف «{name}» ما دام بلا ملفات شخصية.',
  },
  deleted: { en: 'Account deleted.', id: 'Akun dihapus.', ar: 'تم حذف الحساب.' },
  empty: { en: 'No accounts', id: 'Tidak ada akun', ar: 'لا حسابات' },
  emptyText: {
    en: 'An account is a folder for profiles.',
    id: 'Akun adalah map untuk profil.',
    ar: 'الحساب مجلد للملفات الشخصية.',
  },
});
