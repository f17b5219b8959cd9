{
    print 100 / $1
    print "after"
}
