use std::time::Instant;
use std::ops::ControlFlow;
fn main(){
    let texts: Vec<(&str,String)> = vec![
        ("{", "{".repeat(1<<17)), ("(", "(".repeat(50000)+&")".repeat(50000)), ("f(", "f(".repeat(50000)), ("<a>", "<a>".repeat(50000)),
        ("class", "class A { ".repeat(50000)), ("line", "let x = foo(1, 'a'); ".repeat((1<<20)/21)), ("x", "x".repeat(1<<20)), ("-", "-".repeat(50000)),("> ","> ".repeat(50000)),("[","[".repeat(50000)),("if x {","if x { ".repeat(50000)),
    ];
    for l in kitbag_syntax::LANGUAGES { for (n,t) in &texts {
        let mut p = tree_sitter::Parser::new(); p.set_language(&(l.grammar)()).unwrap();
        let start = Instant::now(); let mut calls=0u64; let mut last=0usize; let mut maxgap=0u128; let mut prev=Instant::now();
        let mut marks=vec![];
        let mut cb = |s:&tree_sitter::ParseState| { calls+=1; let g=prev.elapsed().as_micros(); if g>maxgap{maxgap=g;} prev=Instant::now(); last=s.current_byte_offset(); if calls.is_power_of_two(){marks.push((calls,start.elapsed().as_millis(),last));} if start.elapsed().as_millis()>3000 {ControlFlow::Break(())} else {ControlFlow::Continue(())} };
        let b=t.as_bytes();
        let tree = p.parse_with_options(&mut |at,_| b.get(at..).unwrap_or_default(), None, Some(tree_sitter::ParseOptions::new().progress_callback(&mut cb)));
        let ms=start.elapsed().as_millis();
        if ms>150 { println!("{} {} len {} -> {} ms calls {} off {} maxgap {}us done {} {:?}", l.name,n,t.len(),ms,calls,last,maxgap,tree.is_some(), &marks[marks.len().saturating_sub(4)..]); }
        let s=Instant::now(); let r=kitbag_syntax::parse(t,Some(l),&Default::default()); let ms2=s.elapsed().as_millis(); if ms2>150 {println!("    whole {} {} {} ms {:?}", l.name,n,ms2,r.notes.iter().map(|n|n.code).collect::<Vec<_>>());}
    }}
}
