//! Names that formats and protocols often require: of keys, attributes, headers, options and commands.
//!
//! They are data, apart from the search that puts them into inputs (`absent`). A name that is missing from the list
//! is never found to be absent, and a listed one costs no extra test: all are put into an input at once.

/// The names, in lower case, with a blank between them.
///
/// The most usual ones are first, because a target that rejects unknown names gets them one by one, up to a limit.
/// Own list; which of the names targets need was not measured.
const NAMES: &str = "id name type key value version date time from to host port user password begin start end \
    stop min max low high lo hi width height size length len count title url path format \
    encoding mode data items status message method schema class src href alt content required \
    default open close index label text token kind first last action command offset email \
    subject return radius x y z w h r top left right bottom center color colour background font \
    style weight opacity angle scale rotation depth area volume description desc summary comment \
    comments note notes info details body header headers footer caption heading topic category \
    categories tag tags group groups role roles owner author authors creator created updated \
    modified deleted timestamp expires expiry ttl timeout interval delay duration retry retries \
    limit limits quota rate address city street country state zip phone mobile fax website \
    domain hostname server client proxy gateway router network ip mac mask subnet dns ssl tls \
    cert certificate secret username login account uid gid guid uuid hash checksum digest \
    signature sign nonce salt iv algorithm algo cipher number num total sum average avg mean \
    median step steps page pages row rows col cols column columns line lines cell cells table \
    tables field fields parent child children node nodes edge edges root leaf next prev previous \
    source target origin destination dest input output in out file files filename directory dir \
    folder extension ext mime charset lang language locale timezone zone unit units currency \
    amount price cost tax quantity qty enabled disabled enable disable active visible hidden \
    optional readonly public private static final abstract const let var function func fn params \
    param parameters args argument arguments options option settings config configuration \
    properties property attributes attribute attr object array list map set string integer \
    boolean float double null if then else elif endif for while do done break continue switch \
    case until loop yield import export include module package namespace use using library \
    dependencies dependency requires provides license homepage repository connect disconnect \
    accept listen read write lock unlock acquire release alloc free init deinit create destroy \
    add remove insert delete update get put post head push pop enter leave commit rollback \
    logout request response query result results error errors code reason warning level severity \
    priority latitude longitude lat lon lng geometry coordinates location position region event \
    events handler callback trigger schedule cron job task tasks worker queue channel stream \
    image images icon logo video audio media link links rel ref refs reference anchor cookie \
    cookies session scope audience issuer iss sub aud exp iat doctype html meta script \
    stylesheet viewport xmlns xsi signed unsigned bits bytes byte word endian align alignment \
    padding reserved flags flag magic crc stride pitch channels samples bitrate fps frame frames \
    card cvc cvv iban bic bank holder invoice order orders customer product products sku stock cart \
    coupon discount shipping delivery birthday gender age nickname container containers env volumes \
    mount replicas selector labels annotations probe memory cpu gpu disk storage backup restart runs \
    stage stages build test deploy branch scripts engine engines os arch platform keywords contributors \
    maintainers bugs main bin lib exports entry targets plugin plugins rule rules filter filters sort \
    where having join on into values select user-agent content-type content-length accept-encoding \
    accept-language authorization connection cache-control if-none-match if-modified-since referer \
    transfer-encoding content-encoding set-cookie message-id mime-version reply-to in-reply-to \
    content-transfer-encoding content-disposition return-path received bcc";

/// Each of the names, the most usual first.
pub(super) fn usual_names() -> impl Iterator<Item = &'static str> {
    NAMES.split_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_name_is_listed_twice_and_all_are_in_lower_case() {
        let names: Vec<&str> = usual_names().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let is_lower =
            |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        assert!(names.iter().all(is_lower) && names.starts_with(&["id", "name", "type"]));
    }
}
