"""Programming words in other languages, for questions whose own words are nowhere in the code.

Code is written with English words whatever its authors speak.  The table gives, for an English word, what developers
call it in Chinese (both scripts), Japanese, Spanish, Portuguese, German and French.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

__all__ = ["translate"]

# English words | words that mean them.  Latin words are written without accents, as they are compared.
_TABLE = """
error | 错误 錯誤 出错 エラー 誤り 誤差 erro erros errores fehler erreur
exception | 异常 異常 例外 excepcion excecao ausnahme
message | 消息 訊息 信息 讯息 メッセージ mensaje mensagem nachricht meldung
display show | 显示 顯示 展示 表示 mostrar exibir anzeigen afficher visualizar
print output | 打印 輸出 输出 列印 印刷 出力 imprimir salida saida ausgabe drucken imprimer sortie
input | 输入 輸入 入力 entrada eingabe entree
progress | 进度 進度 进展 進捗 プログレス progreso progresso fortschritt progression
bar | 条 條 バー barra balken barre
request | 请求 請求 リクエスト 要求 peticion solicitud requisicao pedido anfrage requete
response | 响应 響應 回應 応答 レスポンス respuesta resposta antwort reponse
interceptor | 拦截器 攔截器 インターセプター interceptador abfangen intercepteur
middleware | 中间件 中介軟體 ミドルウェア
parse parser | 解析 剖析 解析器 パース 構文解析 パーサ analizar analisar parsen einlesen zerlegen analyser
string | 字符串 字串 字元串 文字列 cadena zeichenkette chaine
character | 字符 字元 文字 caracter caractere zeichen
number | 数字 數字 数値 番号 numero zahl nummer nombre
integer | 整数 整數 entero inteiro ganzzahl entier
float | 浮点 浮點 浮動小数点 flotante flutuante gleitkomma flottant
boolean | 布尔 布林 ブール 真偽値 booleano boolesch booleen
array list | 数组 數組 陣列 列表 清单 清單 配列 リスト arreglo lista arranjo feld liste tableau
dictionary map | 字典 映射 辞書 マップ diccionario mapa dicionario worterbuch abbildung dictionnaire
set collection | 集合 コレクション conjunto coleccion colecao menge sammlung ensemble
tree | 树 樹 ツリー 木構造 arbol arvore baum arbre
node | 节点 節點 ノード nodo knoten noeud
stack | 栈 堆栈 堆疊 スタック pila pilha stapel pile
queue | 队列 佇列 キュー cola fila warteschlange file
graph | 图 圖 グラフ grafo graphe
key | 键 鍵 密钥 金鑰 キー clave llave chave schlussel cle
value | 值 値 バリュー valor wert valeur
name | 名称 名稱 名字 名前 nombre nome name nom
file | 文件 檔案 ファイル archivo fichero arquivo ficheiro datei fichier
folder directory | 文件夹 目录 資料夾 目錄 フォルダ ディレクトリ carpeta directorio pasta diretorio ordner verzeichnis dossier repertoire
path | 路径 路徑 パス ruta caminho pfad chemin
read reader | 读取 讀取 读 読み込み 読む leer lectura ler leitura lesen lire lecture
write writer | 写入 寫入 写 書き込み 書く escribir escritura escrever escrita schreiben ecrire ecriture
open | 打开 打開 開啟 开启 開く abrir offnen ouvrir
close | 关闭 關閉 閉じる cerrar fechar schliessen fermer
save store | 保存 储存 儲存 存储 guardar almacenar salvar armazenar speichern enregistrer stocker
load loader | 加载 載入 装载 読み込む ロード cargar carga carregar carregamento laden charger chargement
delete remove | 删除 刪除 移除 削除 borrar eliminar excluir apagar remover loschen entfernen supprimer effacer
create | 创建 建立 新建 作成 生成 crear criar erstellen anlegen creer
generate generator | 生成 產生 ジェネレータ generar generador gerar gerador erzeugen generieren generer
update | 更新 アップデート actualizar actualizacion atualizar atualizacao aktualisieren mettre
add append | 添加 新增 追加 agregar anadir adicionar acrescentar hinzufugen ajouter
insert | 插入 挿入 insertar inserir einfugen inserer
search find | 搜索 搜尋 查找 查询 検索 探す buscar busqueda busca procurar suchen suche chercher recherche
query | 查询 查詢 クエリ 問い合わせ consulta abfrage requete
filter | 过滤 過濾 筛选 篩選 フィルタ filtrar filtro filtern filtrer filtre
sort order | 排序 ソート 並べ替え ordenar orden ordenacao sortieren sortierung trier tri ordre
compare | 比较 比較 comparar comparacion vergleichen vergleich comparer
merge | 合并 合併 マージ 結合 fusionar combinar juntar mesclar zusammenfuhren fusionner
join | 连接 連接 結合 unir juntar verbinden joindre
split | 分割 拆分 分離 dividir separar aufteilen trennen diviser
copy clone | 复制 複製 拷贝 コピー copiar copia clonar kopieren kopie copier
move | 移动 移動 mover verschieben deplacer
rename | 重命名 改名 renombrar renomear umbenennen renommer
convert transform | 转换 轉換 变换 変換 convertir transformar converter conversao umwandeln konvertieren transformer
format | 格式 格式化 フォーマット 書式 formato formatear formatar formatieren formater
encode | 编码 編碼 エンコード 符号化 codificar kodieren encoder
decode | 解码 解碼 デコード 復号 decodificar dekodieren decoder
encrypt | 加密 暗号化 cifrar encriptar criptografar verschlusseln chiffrer
decrypt | 解密 復号化 descifrar descriptografar entschlusseln dechiffrer
compress | 压缩 壓縮 圧縮 comprimir komprimieren compresser
hash | 哈希 雜湊 散列 ハッシュ
signature | 签名 簽名 署名 firma assinatura signatur unterschrift
token | 令牌 權杖 トークン ficha
password | 密码 密碼 口令 パスワード contrasena senha passwort kennwort
user | 用户 使用者 用戶 ユーザー 利用者 usuario utilizador benutzer nutzer utilisateur
login signin | 登录 登入 登陆 ログイン ingresar entrar anmelden anmeldung connexion
logout | 登出 注销 ログアウト cerrar abmelden deconnexion
authentication authenticate | 认证 認證 身份验证 驗證 認証 autenticacion autenticar autenticacao authentifizierung authentification
authorization permission | 授权 授權 权限 權限 認可 許可 autorizacion permiso autorizacao permissao berechtigung autorisation
session | 会话 會話 工作階段 セッション sesion sessao sitzung
cookie | 饼干 クッキー galleta
validate validation | 验证 校验 驗證 校驗 検証 バリデーション validar validacion validacao validieren prufung valider
check | 检查 檢查 チェック 確認 comprobar verificar revisar prufen uberprufen verifier
test | 测试 測試 テスト prueba probar teste testar testen
configuration config settings | 配置 設定 设置 组态 コンフィグ configuracion configurar ajustes configuracao konfiguration einstellung
option | 选项 選項 オプション opcion opcao
parameter argument | 参数 參數 引数 パラメータ parametro argumento
default | 默认 預設 缺省 デフォルト 既定 defecto predeterminado padrao standard defaut
environment | 环境 環境 entorno ambiente umgebung environnement
variable | 变量 變數 変数 variavel
constant | 常量 常數 定数 constante konstante
function | 函数 函數 函式 関数 funcion funcao funktion fonction
method | 方法 メソッド metodo methode
class | 类 類別 クラス clase classe klasse
object | 对象 物件 對象 オブジェクト objeto objekt objet
instance | 实例 實例 インスタンス instancia instanz
interface | 接口 介面 インターフェース interfaz schnittstelle
module | 模块 模組 モジュール modulo modul
package | 包 套件 パッケージ paquete pacote paket paquet
library | 库 函式庫 ライブラリ biblioteca libreria bibliothek bibliotheque
import | 导入 匯入 インポート importar importieren importer
export | 导出 匯出 エクスポート exportar exportieren exporter
type | 类型 類型 型別 タイプ tipo typ
property attribute | 属性 屬性 プロパティ propiedad atributo propriedade eigenschaft propriete attribut
field | 字段 欄位 フィールド campo champ
event | 事件 イベント evento ereignis evenement
listener | 监听 監聽 リスナー oyente ouvinte zuhorer ecouteur
callback | 回调 回調 コールバック rueckruf rappel
handler handle | 处理 處理 处理器 ハンドラ 処理 manejar manejador tratar manipulador behandlung verarbeiten gestionnaire traiter
hook | 钩子 鉤子 フック gancho haken
trigger | 触发 觸發 トリガー disparador gatilho auslosen declencheur
signal | 信号 訊號 シグナル senal sinal
thread | 线程 執行緒 スレッド hilo
process | 进程 處理程序 プロセス proceso processo prozess processus
task job | 任务 任務 作业 タスク ジョブ tarea tarefa aufgabe tache
schedule scheduler | 调度 排程 计划 スケジュール programar planificar agendar planen zeitplan planifier
async asynchronous | 异步 非同步 非同期 asincrono assincrono asynchron
wait | 等待 待つ 待機 esperar aguardar warten attendre
timeout | 超时 逾時 タイムアウト expirar zeituberschreitung delai
retry | 重试 重試 リトライ 再試行 reintentar reintento tentar wiederholen reessayer
cancel | 取消 キャンセル cancelar abbrechen annuler
start | 开始 開始 启动 啟動 起動 iniciar empezar comecar starten beginnen demarrer
stop | 停止 ストップ detener parar stoppen anhalten arreter
run execute | 运行 執行 执行 実行 ejecutar correr executar rodar ausfuhren executer
build compile | 构建 建置 编译 編譯 ビルド コンパイル construir compilar bauen kompilieren ubersetzen construire compiler
deploy | 部署 デプロイ desplegar implantar bereitstellen deployer
install | 安装 安裝 インストール instalar installieren installer
log logging | 日志 日誌 记录 ログ 記録 registro registrar protokoll journal
debug | 调试 除錯 デバッグ depurar fehlersuche deboguer
cache | 缓存 快取 キャッシュ zwischenspeicher
memory | 内存 記憶體 メモリ memoria speicher memoire
database | 数据库 資料庫 データベース datos banco datenbank
table | 表格 資料表 テーブル tabla tabela tabelle
column | 列 欄 カラム columna coluna spalte colonne
row | 行 列 ロウ fila linha zeile ligne
index | 索引 インデックス indice
transaction | 事务 交易 トランザクション transaccion transacao transaktion
migration | 迁移 遷移 移行 マイグレーション migracion migracao
model | 模型 モデル modelo modell modele
view | 视图 檢視 ビュー vista ansicht vue
controller | 控制器 コントローラ controlador steuerung controleur
template | 模板 範本 テンプレート plantilla modelo vorlage gabarit
route router | 路由 ルート ルーティング enrutador rota roteador leitweg routage
server | 服务器 伺服器 サーバー servidor serveur
client | 客户端 用戶端 クライアント cliente kunde
network | 网络 網路 ネットワーク red rede netzwerk reseau
connection connect | 连接 連線 接続 conexion conectar conexao verbindung verbinden connexion
download | 下载 下載 ダウンロード descargar descarga baixar herunterladen telecharger
upload | 上传 上傳 アップロード subir enviar hochladen televerser
send | 发送 發送 傳送 送信 enviar senden envoyer
receive | 接收 受信 recibir receber empfangen recevoir
header | 头部 標頭 请求头 ヘッダ encabezado cabecera cabecalho kopfzeile entete
body | 正文 主體 本体 ボディ cuerpo corpo rumpf korper corps
date time | 日期 时间 時間 日付 時刻 fecha hora tempo datum zeit uhrzeit heure
timezone | 时区 時區 タイムゾーン huso fuso zeitzone fuseau
image | 图像 圖片 图片 画像 imagen imagem bild
color | 颜色 顏色 色 カラー couleur cor farbe
window | 窗口 視窗 ウィンドウ ventana janela fenster fenetre
button | 按钮 按鈕 ボタン boton botao schaltflache knopf bouton
menu | 菜单 選單 メニュー
page pagination | 页面 頁面 分页 ページ pagina paginacion paginacao seite
link | 链接 連結 リンク enlace ligacao verknupfung lien
form | 表单 表單 フォーム formulario formular formulaire
command | 命令 指令 コマンド comando befehl commande
terminal console | 终端 終端 控制台 ターミナル コンソール consola konsole
shell completion complete | 补全 補全 自动完成 補完 completar autocompletar vervollstandigung completion
prompt confirm | 提示 确认 確認 プロンプト preguntar confirmar perguntar eingabeaufforderung bestatigen demander confirmer
help | 帮助 幫助 ヘルプ ayuda ajuda hilfe aide
version | 版本 バージョン versao
language | 语言 語言 言語 idioma lengua lingua sprache langue
translation translate | 翻译 翻譯 翻訳 traduccion traducao ubersetzung traduction
random | 随机 隨機 ランダム 乱数 aleatorio zufall zufallig aleatoire
limit | 限制 限流 制限 limite limitar grenze begrenzung
size length | 大小 长度 長度 サイズ 長さ tamano longitud tamanho comprimento grosse lange taille longueur
position offset | 位置 偏移 posicion posicao decalage
rule | 规则 規則 ルール regla regra regel regle
pattern | 模式 图案 パターン patron padrao muster motif
style | 样式 樣式 スタイル estilo stil
layout | 布局 版面配置 レイアウト disposicion anordnung disposition
serialize | 序列化 シリアライズ serializar serialisieren serialiser
deserialize | 反序列化 デシリアライズ deserializar
replace | 替换 替換 取代 置換 reemplazar sustituir substituir ersetzen remplacer
reset | 重置 重設 リセット restablecer reiniciar redefinir zurucksetzen reinitialiser
clean clear | 清理 清除 クリア limpiar limpar bereinigen aufraumen nettoyer
count | 计数 計數 数量 カウント contar recuento contagem zahlen anzahl compter
sum total | 总和 總和 合计 合計 suma total soma summe somme
dependency | 依赖 相依 依存 dependencia abhangigkeit dependance
inheritance inherit | 继承 繼承 継承 herencia heranca vererbung heritage
iterator iterate | 迭代 走訪 遍历 反復 イテレータ iterar iterador iteration
loop | 循环 迴圈 ループ bucle laco schleife boucle
condition | 条件 條件 condicion condicao bedingung
lock | 锁 鎖 ロック bloqueo bloquear trava sperre verrou
"""

_LATIN_TAIL = 4  # letters by which two forms of one Latin word may differ at their ends
_LATIN_HEAD = 5  # letters that they share at least
_WIDE = re.compile(r"[⺀-鿿가-힣豈-﫿]+")


@cache
def _by_head() -> dict[str, list[str]]:
    """Return the foreign words by their first letters, which all forms of a Latin word share."""
    heads: dict[str, list[str]] = {}
    for word in _entries()[0]:
        heads.setdefault(word[:_LATIN_HEAD], []).append(word)
    return heads


@cache
def _entries() -> tuple[dict[str, tuple[str, ...]], int]:
    """Return the English words of each foreign one, and how long the longest is."""
    entries: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.strip().splitlines():
        english, foreign = line.split("|")
        for word in foreign.split():
            entries[word] = tuple(dict.fromkeys((*entries.get(word, ()), *english.split())))
    return entries, max(map(len, entries))


def translate(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the English words that may stand for the foreign ones of a text.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of (word, choices)
        Each word that the table knows, as it is looked up, and the English words it may stand for.

    Examples
    --------
    >>> translate("请求拦截器")
    [('请求', ('request',)), ('拦截器', ('interceptor',))]
    """
    entries, longest = _entries()
    found: list[tuple[str, tuple[str, ...]]] = []
    for run in _WIDE.findall(text):
        at = 0
        while at < len(run):
            size = next((n for n in range(min(longest, len(run) - at), 0, -1) if run[at : at + n] in entries), 0)
            if size:
                found.append((run[at : at + size], entries[run[at : at + size]]))
            at += size or 1
    folded = "".join(char for char in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(char))
    for word in re.findall(r"[a-z]+", folded.replace("ß", "ss")):
        known = entries.get(word) or _inflected(word, entries)
        if known:
            found.append((word, known))
    return found


def _inflected(word: str, entries: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the entry that differs from ``word`` only in its ending."""
    best, most = "", _LATIN_HEAD - 1
    for other in _by_head().get(word[:_LATIN_HEAD], ()):
        common = next(
            (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
        )
        if common > most and max(len(word), len(other)) - common <= _LATIN_TAIL:
            best, most = other, common
    return entries[best] if best else ()
