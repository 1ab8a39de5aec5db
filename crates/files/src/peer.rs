//! Which user owns the other end of a TCP connection within this machine.

use std::fs::File;
use std::io::Read;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// A longer table is not read to its end: it has about 25,000 connections.
const TABLE_BYTES: u64 = 4 << 20;
/// Stands for every user who has no number in this user namespace.
const OVERFLOW_UID: u32 = 65_534;
const ROOT: u32 = 0;

/// Returns the user who owns the socket at `peer` that is connected to `local`.
///
/// Returns `None` if the system does not tell, or if no process holds that socket any longer. Reads
/// `/proc/net/tcp` and `/proc/net/tcp6` once, so it is meant to be called once per connection.
pub fn peer_owner(local: SocketAddr, peer: SocketAddr) -> Option<u32> {
    let owner = look_up(local, peer)?;
    // A socket that is being closed shows the user 0 for a moment, before its inode is gone.
    let is_certain = owner.uid != ROOT || look_up(local, peer) == Some(owner);
    (is_certain && owner.uid != OVERFLOW_UID).then_some(owner.uid)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Owner {
    uid: u32,
    inode: u64,
}

fn look_up(local: SocketAddr, peer: SocketAddr) -> Option<Owner> {
    // A client may reach an IPv4 address through an IPv6 socket, which stands in the other table.
    let v4 = || find(&table("/proc/net/tcp")?, &v4_key(local)?, &v4_key(peer)?);
    let v6 = || find(&table("/proc/net/tcp6")?, &v6_key(local), &v6_key(peer));
    v4().or_else(v6)
}

fn table(path: &str) -> Option<String> {
    let mut text = String::new();
    let length = File::open(path)
        .ok()?
        .take(TABLE_BYTES)
        .read_to_string(&mut text)
        .ok()?;
    (length as u64 != TABLE_BYTES).then_some(text)
}

/// Returns the owner of the socket that is at `peer` and connected to `local`.
fn find(table: &str, local: &str, peer: &str) -> Option<Owner> {
    table.lines().skip(1).find_map(|line| {
        let mut fields = line.split_ascii_whitespace().skip(1);
        let is_it = fields.next()? == peer && fields.next()? == local;
        if !is_it {
            return None;
        }
        // After both addresses: state, queues, timer, retransmissions, user, timeout, inode.
        let uid = fields.nth(4)?.parse().ok()?;
        let inode = fields.nth(1)?.parse().ok()?;
        // No process holds a socket without an inode, and its user is not told.
        (inode != 0).then_some(Owner { uid, inode })
    })
}

/// Returns an address as `/proc/net/tcp` writes it: words in the order of this machine.
fn v4_key(address: SocketAddr) -> Option<String> {
    let IpAddr::V4(ip) = address.ip().to_canonical() else {
        return None;
    };
    Some(format!(
        "{:08X}:{:04X}",
        u32::from_ne_bytes(ip.octets()),
        address.port()
    ))
}

fn v6_key(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) => Ipv4Addr::to_ipv6_mapped(&ip),
        IpAddr::V6(ip) => ip,
    };
    let octets = ip.octets();
    let words = octets.chunks_exact(4).map(|word| {
        let word = word.try_into().unwrap_or_default();
        format!("{:08X}", u32::from_ne_bytes(word))
    });
    format!("{}:{:04X}", words.collect::<String>(), address.port())
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1FA4 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 0100007F:1FA4 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 20 4 30 10 -1
   2: 0100007F:C001 0100007F:1FA4 01 00000000:00000000 00:00000000 00000000  1001        0 13 1 0 20 4 30 10 -1
   3: 0100007F:C002 0100007F:1FA4 06 00000000:00000000 03:00000999 00000000     0        0 0 3 0
";

    #[test]
    fn the_owner_is_the_one_of_the_other_end_and_not_of_ours() {
        let find = |peer: &str| find(TABLE, "0100007F:1FA4", peer);
        assert_eq!(
            find("0100007F:C001"),
            Some(Owner {
                uid: 1001,
                inode: 13
            })
        );
        assert_eq!(
            find("0100007F:C002"),
            None,
            "a closed socket belongs to nobody"
        );
        assert_eq!(find("0100007F:C003"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn connections_of_this_process_belong_to_its_user() {
        for (listen, to) in [
            ("127.0.0.1:0", "127.0.0.1"),
            ("[::1]:0", "::1"),
            ("127.0.0.1:0", "::ffff:127.0.0.1"),
        ] {
            let Ok(listener) = TcpListener::bind(listen) else {
                continue;
            };
            let port = listener.local_addr().unwrap().port();
            let to: IpAddr = to.parse().unwrap();
            let Ok(client) = TcpStream::connect((to, port)) else {
                continue;
            };
            let (server, peer) = listener.accept().unwrap();
            let owner = peer_owner(server.local_addr().unwrap(), peer);
            let own = rustix::process::geteuid().as_raw();
            assert_eq!(owner, Some(own).filter(|uid| *uid != OVERFLOW_UID), "{to}");
            drop(client);
            assert_eq!(
                peer_owner(server.local_addr().unwrap(), peer),
                None,
                "{to} after its end"
            );
        }
    }
}
