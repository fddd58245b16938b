import { isVinColumnName } from '../vin/names.ts';
import { LANGUAGES } from './languages.ts';

/** The likelihood of a character that a language does not have, and of one outside words. As natural logarithms. */
const FOREIGN = Math.log(0.0008);
const SYMBOL = Math.log(0.004);
const OUT_OF_PLACE = Math.log(0.000_01);

/** Names of vehicles that are written with an accent everywhere. */
const VEHICLES = /citroën|škoda|mégane|coupé/i;

/** A name of the column of VINs in a language, or of a vehicle: nothing else is written so. */
const KNOWN_NAME = Math.log(1_000_000);

/** The likelihood in East Asian encodings of a common character, and of one that hardly any table has. */
const COMMON = Math.log(0.05);
const RARE = Math.log(0.0005);

/** Half-width katakana: any byte of another encoding from A1 to DF looks like one in Shift-JIS. */
const HALF_WIDTH = Math.log(0.003);

/** Returns the likelihood of a text in an encoding: the logarithm, relative to other encodings of the same bytes. */
export function likelihood(text: string, encoding: string): number {
  const words = text.match(/[\p{L}\p{M}\p{N}’']+/gu) ?? [];
  const misplaced = words.reduce((sum, word) => sum + misplacedIn(word), 0);
  const within = text.match(/[\p{L}][^\0-\x7F\p{L}\p{M}\p{N}\s’·–—][\p{L}]/gu) ?? [];
  const names = text.split(/[\r\n,;\t|"]+/).some((cell) => /[^\0-\x7F]/.test(cell) && isVinColumnName(cell));
  const isKnown = names || VEHICLES.test(text);
  return letters(text, encoding) + (misplaced + within.length) * OUT_OF_PLACE + (isKnown ? KNOWN_NAME : 0);
}

function letters(text: string, encoding: string): number {
  const wide = WIDE[encoding];
  const beyond = text.match(/[^\0-\x7F]/gu) ?? [];
  if (wide !== undefined) return beyond.reduce((sum, letter) => sum + wide(letter), 0);
  const languages = LANGUAGES.filter((language) => language.encoding === encoding);
  return Math.max(...languages.map(({ letters: known, weight }) => ofLanguage(beyond, known) + Math.log(weight)));
}

/** Returns the likelihood in a language: frequencies fall with the rank, by Zipf's law. */
function ofLanguage(beyond: readonly string[], known: string): number {
  const ranks = new Map([...known].map((letter, index) => [letter, index + 1]));
  const sum = [...ranks.values()].reduce((total, rank) => total + 1 / rank, 0);
  return beyond.reduce((total, letter) => {
    if (!/[\p{L}\p{M}]/u.test(letter)) return total + SYMBOL;
    const rank = ranks.get(letter) ?? ranks.get(letter.toLowerCase());
    return total + (rank === undefined ? FOREIGN : Math.log(1 / rank / sum));
  }, 0);
}

/** A character that takes two bytes counts for both. */
const WIDE: Readonly<Record<string, (letter: string) => number>> = {
  shift_jis: (letter) => {
    if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter))
      return /[\uFF61-\uFF9F]/.test(letter) ? HALF_WIDTH : 2 * COMMON;
    return 2 * hanOr(letter, RARE);
  },
  'euc-jp': (letter) => 2 * (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter) ? COMMON : hanOr(letter, RARE)),
  gbk: (letter) => 2 * hanOr(letter, RARE),
  big5: (letter) => 2 * hanOr(letter, RARE),
  'euc-kr': (letter) => 2 * (/\p{Script=Hangul}/u.test(letter) ? Math.log(0.03) : RARE),
};

/**
 * Characters that tables of vehicles have: of makes, colors, places, names and headings, in China, Taiwan and Japan.
 */
const HAN = new Set(
  '车架号主牌照型颜色年月日份产地北京上海天津重庆广东州深圳江苏浙南山西河湖川陕辽宁吉林黑龙安徽福建云贵甘肃青新疆内蒙古藏台湾香港澳公司有限责任' +
    '大众丰田本现代起亚奔驰宝马奥迪吉利长城比亚迪奇瑞哈弗日产红白黑银灰蓝绿黄金棕发动机编码名称姓电话址备注序状态注册登记期检验里程价格车辆识别代' +
    '王李张刘陈杨黄赵周吴徐孙朱马胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢傅钟一二三四五六七八九十的是在和了小中' +
    '車號碼顏國產業區縣市路街廠牌體引擎發動機陳黃劉張吳許鄭謝楊蘇葉賴灣臺東豐銀藍綠' +
    '台番号所有者東京都大阪府名古屋横浜福岡札幌仙道県市区町村登録初度検査車両種別用途形式類指定長幅高重量総排気積載佐藤鈴木高橋田中伊渡辺山本村小林加吉松井' +
    '色黒赤青白銀灰緑黄茶備考番号株式会社自動販売整備工場使用氏住所電話',
);

function hanOr(letter: string, other: number): number {
  if (HAN.has(letter)) return COMMON;
  return /\p{Script=Han}/u.test(letter) ? Math.log(0.002) : /[\p{P}\p{S}]/u.test(letter) ? SYMBOL : other;
}

/**
 * Counts the letters of a word in places where a real word has none: another alphabet, a capital after a small letter,
 * a sign within.
 */
function misplacedIn(word: string): number {
  if (!/[^\0-\x7F]/.test(word)) return 0;
  const scripts = SCRIPTS.filter((script) => script.test(word)).length;
  const capitals = word.match(/\p{Ll}\p{Lu}/gu) ?? [];
  const beyond = capitals.filter((pair) => /[^\0-\x7F]/.test(pair)).length;
  return Math.max(0, scripts - 1) + beyond;
}

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Han', 'Hangul', 'Hebrew', 'Arabic', 'Thai'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);
